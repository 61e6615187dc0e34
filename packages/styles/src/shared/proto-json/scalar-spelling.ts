// Checks the spelling of scalar values, alone and as map keys.
import { ScalarType } from "@bufbuild/protobuf";
import { bytesOfText } from "./base64-text.ts";
import { integerIn, isNumberText } from "./number-text.ts";
import { kindOf, type ScalarKind } from "./scalar-kind.ts";
import { nearestDouble, invalidSpelling, type ReadSpelling } from "./spelling.ts";
import type { JsonValue } from "@bufbuild/protobuf";

/** No check: protobuf-es reads or refuses the value correctly. */
function asItIs(json: unknown): JsonValue {
  return json as JsonValue;
}

function small(json: unknown): JsonValue {
  // Integers have no −0.
  if (typeof json === "number") return json + 0;
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return invalidSpelling("an integer", json);
  if (typeof json !== "string") return asItIs(json);
  return Number(integerIn(json) ?? invalidSpelling("an integer", json));
}

function large(json: unknown): JsonValue {
  if (typeof json === "string") return integerIn(json) ?? invalidSpelling("an integer of 64 bits", json);
  if (typeof json === "bigint") return String(json);
  if (typeof json === "symbol") return invalidSpelling("an integer of 64 bits", json);
  // A larger number has lost digits already.
  if (typeof json === "number" && !Number.isSafeInteger(json)) return invalidSpelling("an integer of 64 bits", json);
  return asItIs(json);
}

const notFinite: ReadonlySet<string> = new Set(["NaN", "Infinity", "-Infinity"]);

function double(json: unknown): JsonValue {
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return nearestDouble(json);
  if (typeof json !== "string" || isNumberText(json) || notFinite.has(json)) return asItIs(json);
  return invalidSpelling("a number", json);
}

function float(json: unknown): JsonValue {
  const checked = double(json);
  if (typeof checked === "string" && notFinite.has(checked)) return checked;
  if (typeof checked !== "number" && typeof checked !== "string") return checked;
  // A float has 32 bits, a JavaScript number 64: use the float nearest to the decimal text.
  const nearest = Math.fround(Number(checked));
  return Number.isFinite(nearest) ? nearest : invalidSpelling("a float", json);
}

function bytes(json: unknown): JsonValue {
  if (typeof json !== "string") return asItIs(json);
  // protobuf-es accepts bytes here, and would decode text letter by letter.
  return (bytesOfText(json) ?? invalidSpelling("base64", json)) as unknown as JsonValue;
}

const spellings: Readonly<Partial<Record<ScalarKind, ReadSpelling>>> = {
  bytes,
  double,
  float,
  int32: small,
  uint32: small,
  int64: large,
  uint64: large,
};

/** The check of a scalar type; undefined if protobuf-es reads the type strictly. */
export function scalarSpelling(scalar: ScalarType): ReadSpelling | undefined {
  return spellings[kindOf(scalar)];
}

const integerKey = /^-?(?:0|[1-9]\d*)$/;

/** The check of map keys, which throws for an invalid one; undefined if protobuf-es checks them. */
export function keyCheck(scalar: ScalarType): ((key: string) => void) | undefined {
  if (scalar === ScalarType.STRING || scalar === ScalarType.BOOL) return undefined;
  return (key) => {
    if (!integerKey.test(key)) invalidSpelling("an integer as a key", key);
  };
}
