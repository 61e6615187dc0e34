// All pairs of scalar types: one contract in which each field has the first type of its pair, one in which it has the second, and values for both.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Probes, Words } from "./exchange.ts";

interface Scalar {
  readonly form: "number" | "bool" | "string" | "bytes";
  /** Least and greatest whole number, as JSON has them; undefined for types with fractions and those without numbers. */
  readonly range?: readonly [bigint, bigint];
  readonly isText?: boolean;
  readonly fractions?: "float" | "double";
}

const signed32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const unsigned32 = [0n, 2n ** 32n - 1n] as const;
const signed64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const unsigned64 = [0n, 2n ** 64n - 1n] as const;

const scalars: Readonly<Record<string, Scalar>> = {
  double: { form: "number", fractions: "double" },
  float: { form: "number", fractions: "float" },
  int32: { form: "number", range: signed32 },
  int64: { form: "number", range: signed64, isText: true },
  uint32: { form: "number", range: unsigned32 },
  uint64: { form: "number", range: unsigned64, isText: true },
  sint32: { form: "number", range: signed32 },
  sint64: { form: "number", range: signed64, isText: true },
  fixed32: { form: "number", range: unsigned32 },
  fixed64: { form: "number", range: unsigned64, isText: true },
  sfixed32: { form: "number", range: signed32 },
  sfixed64: { form: "number", range: signed64, isText: true },
  bool: { form: "bool" },
  string: { form: "string" },
  bytes: { form: "bytes" },
};

/** A value of no type: text such as `5`, `1.5`, `true` or `x`, or bytes that are no text. */
type Value = string | Buffer;

const notText = Buffer.from([255, 255]);

const ordinaryOf = { number: ["5"], bool: ["true"], string: ["text"], bytes: ["text"] } as const;

const samples = ["5", "-5", "1.5", "true", "false", "x", "10000000000", "1e+300", "NaN", "-Infinity"] as const;

const edges: readonly Value[] = [
  ...samples,
  ...[signed32, unsigned32, signed64, unsigned64].flat().map(String),
  notText,
];

function isNumber(value: string): boolean {
  return value !== "" && (value === "NaN" || !Number.isNaN(Number(value)));
}

/** A value in the JSON of a type; undefined if the type does not have it. The number 1 is true. */
function jsonOf(value: Value, { form, range, isText, fractions }: Scalar, other: Scalar): JsonValue | undefined {
  if (form === "bytes") return Buffer.from(value).toString("base64");
  if (typeof value !== "string") return undefined;
  if (form === "string") return value;
  const asWord = (other.form === "number" ? { 1: "true", 0: "false" }[value] : undefined) ?? value;
  if (form === "bool") return { true: true, false: false }[asWord];
  const digits = (other.form === "bool" ? { true: "1", false: "0" }[value] : undefined) ?? value;
  if (!isNumber(digits)) return undefined;
  const number = Number(digits);
  if (fractions !== undefined) {
    if (Number.isInteger(number) && !Number.isSafeInteger(number) && !digits.includes("e")) return undefined;
    if (fractions === "float" && !Number.isNaN(number) && Math.fround(number) !== number) return undefined;
    return Number.isFinite(number) ? number : digits;
  }
  if (range === undefined || !/^-?\d+$/.test(digits)) return undefined;
  const whole = BigInt(digits);
  if (whole < range[0] || whole > range[1]) return undefined;
  return isText === true ? digits : number;
}

export interface ScalarPair {
  readonly before: string;
  readonly after: string;
  readonly index: number;
}

const names = Object.keys(scalars);

export const scalarPairs: readonly ScalarPair[] = names
  .flatMap((before) => names.map((after) => ({ before, after })))
  .filter(({ before, after }) => before !== after)
  .map((pair, index) => ({ ...pair, index }));

/** The contract in which each field has the type of one side. */
export function fileOfPairs(side: "before" | "after", pairs: readonly ScalarPair[]): string {
  const messages = pairs.map((pair) => `message M${pair.index} { ${pair[side]} a = 1; string kept = 2; }`);
  const methods = pairs.map(
    ({ index }) => `
  rpc Send${index}(M${index}) returns (Nothing) { option (google.api.http) = { post: "/v1/send${index}" body: "*" }; }
  rpc Ask${index}(M${index}) returns (Nothing) { option (google.api.http) = { get: "/v1/ask${index}" }; }
  rpc Receive${index}(Nothing) returns (M${index}) { option (google.api.http) = { post: "/v1/receive${index}" body: "*" }; }`,
  );
  return `syntax = "proto3";
package shop.v1;
import "google/api/annotations.proto";
service Z {${methods.join("")}
}
message Nothing { string id = 1; }
${messages.join("\n")}
`;
}

function ordinary({ form: older }: Scalar, { form: newer }: Scalar): string {
  if (older === "bool" || newer === "bool") return older === "number" || newer === "number" ? "1" : "true";
  const [text = ""] = ordinaryOf[older === "number" ? older : newer];
  return text;
}

/** Values that callers of the type before send, or receive from servers of the type after. */
export function probesOfPair(pair: ScalarPair, direction: "sent" | "received"): Probes {
  const [older, newer] = [scalars[pair.before] as Scalar, scalars[pair.after] as Scalar];
  const usual = ordinary(older, newer);
  const unread = jsonOf(usual, older, newer) ?? null;
  const words = (value: Value): readonly Words[] => {
    const [had, has] = [jsonOf(value, older, newer), jsonOf(value, newer, older)];
    const after = has === undefined ? undefined : { a: has };
    if (direction === "sent") return had === undefined ? [] : [{ before: { a: had }, after }];
    // Of a value that callers cannot read as it is, anything that they read is wrong.
    return after === undefined ? [] : [{ before: { a: had ?? unread }, after }];
  };
  return { values: words(usual), edges: edges.flatMap(words) };
}
