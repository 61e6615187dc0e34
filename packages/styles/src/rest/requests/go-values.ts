// Values and queries as Go's servers read them.
import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonValue,
  type Message,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { DurationSchema, Edition, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { CallError, type HttpBinding, type Operation } from "@roundtrip/contract";
import type { Leniency } from "./leniency.ts";
import { decoded, dotted, type FromText } from "./url-field.ts";
import { badField, badRequest } from "../../shared/proto-json/bad-request.ts";
import { bytesOfText, isTimeText, kindOf, textOfBytes } from "../../shared/proto-json/scalars.ts";

// Values in a URL as grpc-gateway reads them, with Go's strconv, time, base64 and protojson: those of a query by runtime/query.go (parseField and
// parseMessage), those of a path by runtime/convert.go: https://github.com/grpc-ecosystem/grpc-gateway/tree/main/runtime

type Place = "path" | "query";

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const hexadecimal = /^([+-]?)0x(?=\.?[\da-f])([\da-f]*)\.?([\da-f]*)p([+-]?\d{1,6})$/i;
const infinite = /^([+-]?)inf(?:inity)?$/i;

/** A number times a power of two, in two steps so that neither power overflows. */
function scaled(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}

/** As strconv.ParseFloat: undefined for other text and for a number out of range. */
function floatIn(text: string, isSingle: boolean): number | undefined {
  const [, infiniteSign] = infinite.exec(text) ?? [];
  if (infiniteSign !== undefined) return infiniteSign === "-" ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const [, sign, whole = "", fraction = "", exponent] = hexadecimal.exec(text) ?? [];
  if (sign === undefined && !decimal.test(text)) return undefined;
  const size =
    sign === undefined
      ? Number(text)
      : scaled(Number(BigInt(`0x${whole}${fraction}`)), Number(exponent) - 4 * fraction.length);
  const value = sign === "-" ? -size : size;
  return Number.isFinite(isSingle ? Math.fround(value) : value) ? value : undefined;
}

const inBase10 = /^[+-]?\d{1,40}$/;
const inBase0 =
  /^[+-]?(?:0x(?:_?[\da-f]){1,40}|0b(?:_?[01]){1,80}|0o(?:_?[0-7]){1,40}|0(?:_?[0-7]){0,40}|[1-9](?:_?\d){0,40})$/i;

/** As strconv.ParseInt and ParseUint; in a path with base 0, which reads Go's own notations: `0x10`, `010`, `0b1`, `1_000`. Ignores the range. */
function integerIn(text: string, isUnsigned: boolean, place: Place): bigint | undefined {
  const inPath = place === "path";
  if (!(inPath ? inBase0 : inBase10).test(text) || (isUnsigned && /^[+-]/.test(text))) return undefined;
  const digits = text.replaceAll(/[+_-]/g, "");
  const size = BigInt(inPath ? digits.replace(/^0(?=\d)/, "0o") : digits);
  return text.startsWith("-") ? -size : size;
}

const base64 = /^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)={0,2}$/;

/** As base64.StdEncoding and then URLEncoding: both need padding, and skip line breaks. */
function bytesIn(text: string): Uint8Array | undefined {
  const letters = text.replaceAll(/[\r\n]/g, "");
  return base64.test(letters) && letters.length % 4 === 0 ? bytesOfText(letters) : undefined;
}

/** Nanoseconds by unit. The micro sign has two spellings. */
const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  "\u00B5s": 1000n,
  "\u03BCs": 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const durationPart = /(\d*)(?:\.(\d*))?(ns|us|\u00B5s|\u03BCs|ms|s|m|h)/y;

/** As time.ParseDuration: `1h2m3.5s`, `-300ms`, `0`. Undefined for other text. */
function nanosecondsIn(text: string): bigint | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const rest = text.slice(sign.length);
  if (rest === "0") return 0n;
  let total = 0n;
  durationPart.lastIndex = 0;
  for (let at = 0; at < rest.length; at = durationPart.lastIndex) {
    const [, whole = "", fraction = "", unit = ""] = durationPart.exec(rest) ?? [];
    const size = units[unit];
    if (size === undefined || whole + fraction === "") return undefined;
    total += BigInt(whole === "" ? "0" : whole) * size;
    total += (BigInt(fraction === "" ? "0" : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  if (rest === "") return undefined;
  return sign === "-" ? -total : total;
}

/** As protojson: only seconds, `1.5s`. Undefined for other text. */
function protoDurationIn(text: string): string | undefined {
  const [matched, sign, whole = "0", fraction = ""] =
    /^([+-]?)(?=[\d.])(0|[1-9]\d*)?(?:\.(\d{0,9}))?s$/.exec(text) ?? [];
  return matched === undefined ? undefined : `${sign === "-" ? "-" : ""}${whole}.${fraction}0s`;
}

/** The paths of a mask as in ProtoJSON: `create_time` as `createTime`. */
export function jsonPaths(text: string): string {
  return text.replaceAll(/_([a-z\d])/g, (_, next: string) => next.toUpperCase());
}

const nanosecondsInSecond = 1_000_000_000n;
/** The longest google.protobuf.Duration; time.ParseDuration ends at 292 years. */
const mostNanoseconds = 315_576_000_000n * nanosecondsInSecond;

/** In a path, quotes around a time or a duration do not matter. */
function unquoted(text: string): string {
  return text.replaceAll(/^"+|"+$/g, "");
}

/** Throws an Error for invalid text. */
function messageIn(desc: DescMessage, text: string, place: Place): ReflectMessage | undefined {
  const [inner] = desc.fields;
  if (inner !== undefined && isWrapperDesc(desc)) {
    const value = goValue(inner, text, place);
    if (value === undefined) return undefined;
    const wrapper = reflect(desc);
    wrapper.set(inner, value);
    return wrapper;
  }
  switch (desc.typeName) {
    case "google.protobuf.Timestamp": {
      const time = place === "path" ? unquoted(text) : text;
      return isTimeText(time) ? reflect(desc, fromJson(desc, time)) : undefined;
    }
    case "google.protobuf.FieldMask":
      return reflect(desc, fromJson(desc, jsonPaths(text)));
    case "google.protobuf.Struct":
    case "google.protobuf.Value":
      return reflect(desc, fromJson(desc, JSON.parse(text) as JsonValue));
    case "google.protobuf.Duration": {
      if (place === "path") {
        const duration = protoDurationIn(unquoted(text));
        return duration === undefined ? undefined : reflect(desc, fromJson(desc, duration));
      }
      const all = nanosecondsIn(text);
      if (all === undefined || all > mostNanoseconds || all < -mostNanoseconds) return undefined;
      const seconds = all / nanosecondsInSecond;
      return reflect(desc, create(DurationSchema, { seconds, nanos: Number(all - seconds * nanosecondsInSecond) }));
    }
    default:
      return undefined;
  }
}

function scalarIn(scalar: ScalarType, text: string, place: Place): unknown {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BYTES:
      return bytesIn(text);
    case ScalarType.BOOL:
      return booleans.get(text);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return floatIn(text, scalar === ScalarType.FLOAT);
    default: {
      const kind = kindOf(scalar);
      const value = integerIn(text, kind.startsWith("uint"), place);
      return value === undefined || kind.endsWith("64") ? value : Number(value);
    }
  }
}

/** The value of a field, or of an item of a list, for reflection. Undefined or an Error for invalid text. */
function goValue(field: Pick<DescField, "enum" | "message" | "scalar">, text: string, place: Place): unknown {
  if (field.message !== undefined) return messageIn(field.message, text, place);
  if (field.enum === undefined) return scalarIn(field.scalar ?? ScalarType.STRING, text, place);
  const { values } = field.enum;
  const named = values.find(({ name }) => name === text);
  if (named !== undefined) return named.number;
  const asked = integerIn(text, false, place);
  return values.find(({ number }) => BigInt(number) === asked)?.number;
}

function jsonOf(value: unknown): JsonValue | undefined {
  if (isReflectMessage(value)) return toJson(value.desc, value.message);
  if (value instanceof Uint8Array) return textOfBytes(value);
  return typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))
    ? String(value)
    : (value as JsonValue | undefined);
}

/** Reads a path variable, as ProtoJSON. The variables for nested fields are read as a query is, except in proto2 (template.go, IsNestedProto3). */
export function goTextOf(fields: readonly DescField[]): FromText {
  const field = fields.at(-1) as DescField;
  const isProto2 = fields[0]?.parent.file.edition === Edition.EDITION_PROTO2;
  const place = fields.length > 1 && !isProto2 ? "query" : "path";
  return (text) => {
    try {
      return jsonOf(goValue(field, text, place));
    } catch {
      return undefined;
    }
  };
}

// Reads query parameters as grpc-gateway does: `labels[a]=b`, `since.seconds=5`, `flag=T`. It sets fields of the message by their path, after
// the body: https://github.com/grpc-ecosystem/grpc-gateway/blob/main/runtime/query.go
// Unlike there, a parameter that is no field of the request is refused.

/** The values of each parameter; a key in brackets is the first. */
function parametersIn(query: string): ReadonlyMap<string, readonly string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    // As url.ParseQuery: https://go.dev/doc/go1.17#semicolons
    if (pair.includes(";")) throw badRequest("invalid semicolon separator in query");
    const mark = pair.indexOf("=");
    const [name, text] = (mark === -1 ? [pair, ""] : [pair.slice(0, mark), pair.slice(mark + 1)]).map((part) =>
      decoded(part.replaceAll("+", " ")),
    ) as [string, string];
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [text]);
    else values.push(text);
  }
  return parameters;
}

/** A parameter, by the name in errors. */
interface Parameter {
  readonly name: string;
  readonly values: readonly string[];
}

type FieldPath = readonly [DescField, ...DescField[]];

/** The fields along a path of names; undefined if one is unknown. */
function fieldsAt(input: DescMessage, path: string): FieldPath | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const part of path.split(".")) {
    const field: DescField | undefined =
      message?.fields.find((each) => each.name === part) ?? message?.fields.find(({ jsonName }) => jsonName === part);
    if (field === undefined) return undefined;
    fields.push(field);
    message = field.fieldKind === "message" ? field.message : undefined;
  }
  return fields as unknown as FieldPath;
}

/** Throws INVALID_ARGUMENT for text that is no value of the field. */
function valueOf(field: Pick<DescField, "enum" | "message" | "scalar">, text: string, name: string): unknown {
  let value: unknown;
  try {
    value = goValue(field, text, "query");
  } catch (cause) {
    throw badField(name, `cannot be ${JSON.stringify(text)}`, { cause });
  }
  if (value === undefined) throw badField(name, `cannot be ${JSON.stringify(text)}`);
  return value;
}

/** Of a oneof, the query may set the same message again, and nothing else. */
function checkOneof(owner: ReflectMessage, field: DescField, name: string): void {
  const set = field.oneof === undefined ? undefined : owner.oneofCase(field.oneof);
  if (set === undefined || (set === field && field.fieldKind === "message")) return;
  throw badField(name, `${set.name} of the oneof ${field.oneof?.name ?? ""} is given already`);
}

function setLast(owner: ReflectMessage, field: DescField, { name, values }: Parameter): void {
  const [first = "", ...others] = values;
  if (field.fieldKind === "list") {
    for (const text of values) owner.get(field).add(valueOf(field, text, name));
  } else if (field.fieldKind === "map") {
    const [text, ...more] = others;
    if (text === undefined || more.length > 0) throw badField(name, "a key of a map has one value: name[key]=value");
    const key = valueOf({ scalar: field.mapKey, enum: undefined, message: undefined }, first, name);
    owner.get(field).set(key, valueOf(field, text, name));
  } else if (others.length > 0) throw badField(name, "given more than once");
  else owner.set(field, valueOf(field, first, name));
}

function setField(owner: ReflectMessage, [field, ...deeper]: FieldPath, of: Parameter): void {
  checkOneof(owner, field, of.name);
  const [next, ...rest] = deeper;
  if (next === undefined || field.fieldKind !== "message") {
    setLast(owner, field, of);
    return;
  }
  const inner = owner.isSet(field) ? owner.get(field) : reflect(field.message);
  setField(inner, [next, ...rest], of);
  owner.set(field, inner);
}

/** Sets the fields that a query names. Throws a CallError INVALID_ARGUMENT that names the parameter. */
export type ReadGatewayQuery = (message: Message, query: string) => void;

export function gatewayQueryReader(
  { input }: Operation,
  { body, path }: HttpBinding,
  { ignoresParameters }: Pick<Leniency, "ignoresParameters">,
): ReadGatewayQuery {
  const inPath = new Set(path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const fieldsOf = (name: string): FieldPath | undefined => {
    const fields = body === "*" ? undefined : fieldsAt(input, name);
    return fields === undefined || fields[0].name === body || inPath.has(dotted(fields)) ? undefined : fields;
  };
  return (message, query) => {
    const reflected = reflect(input, message);
    for (const [name, values] of parametersIn(query)) {
      const [, map, key] = /^(.*)\[(.*)\]$/s.exec(name) ?? [];
      const fields = fieldsOf(map ?? name);
      if (fields === undefined) {
        if (ignoresParameters) continue;
        throw badField(name, "there is no such query parameter");
      }
      try {
        setField(reflected, fields, { name, values: key === undefined ? values : [key, ...values] });
      } catch (thrown) {
        throw thrown instanceof CallError ? thrown : badField(name, (thrown as Error).message, { cause: thrown });
      }
    }
  };
}
