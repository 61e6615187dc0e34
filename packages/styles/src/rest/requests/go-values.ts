// Values and queries as Go's servers read them.
import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { Edition, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { JsonOfText } from "./url-field.ts";
import { isJsonStruct, isUnwrapped } from "../../shared/local-values.ts";
import { badField } from "../../shared/proto-json/json-errors.ts";
import { keyReader, kindOf } from "../../shared/proto-json/scalars.ts";

// Values in a URL as grpc-gateway reads them, with Go's strconv, time, base64 and protojson, but for hexadecimal and octal numbers: those of a query
// by runtime/query.go (parseField and parseMessage), those of a path by runtime/convert.go: https://github.com/grpc-ecosystem/grpc-gateway/tree/main/runtime

export type Place = "path" | "query";

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...["1", "t", "T", "true", "TRUE", "True"].map((text) => [text, true] as const),
  ...["0", "f", "F", "false", "FALSE", "False"].map((text) => [text, false] as const),
]);

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const infinite = /^([+-]?)inf(?:inity)?$/i;

/** As strconv.ParseFloat: undefined for other text and for a number out of range. */
function floatIn(text: string, isSingle: boolean): number | undefined {
  const [, infiniteSign] = infinite.exec(text) ?? [];
  if (infiniteSign !== undefined) return infiniteSign === "-" ? -Infinity : Infinity;
  if (/^nan$/i.test(text)) return Number.NaN;
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(isSingle ? Math.fround(value) : value) ? value : undefined;
}

/** As strconv.ParseInt and ParseUint with base 10. Ignores the range. */
function integerIn(text: string, isUnsigned: boolean): bigint | undefined {
  if (!/^[+-]?\d{1,40}$/.test(text) || (isUnsigned && /^[+-]/.test(text))) return undefined;
  const size = BigInt(text.replace(/^[+-]/, ""));
  return text.startsWith("-") ? -size : size;
}

const base64 = /^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)={0,2}$/;

/** As base64.StdEncoding and then URLEncoding: both need padding, and skip line breaks. */
function base64In(text: string): string | undefined {
  const letters = text.replaceAll(/[\r\n]/g, "");
  return base64.test(letters) && letters.length % 4 === 0 ? letters : undefined;
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
  return matched === undefined ? undefined : `${sign === "-" ? "-" : ""}${whole}.${fraction.padEnd(1, "0")}s`;
}

const nanosecondsInSecond = 1_000_000_000n;

function goDurationIn(text: string): string | undefined {
  const all = nanosecondsIn(text);
  if (all === undefined) return undefined;
  const size = all < 0n ? -all : all;
  return `${all < 0n ? "-" : ""}${size / nanosecondsInSecond}.${String(size % nanosecondsInSecond).padStart(9, "0")}s`;
}

/** The paths of a mask as in ProtoJSON: `create_time` as `createTime`. */
export function jsonPaths(text: string): string {
  return text.replaceAll(/_([a-z\d])/g, (_, next: string) => next.toUpperCase());
}

/** May throw an Error for invalid text. */
function messageJson(type: DescMessage, text: string, place: Place): JsonValue | undefined {
  const [inner] = type.fields;
  if (inner !== undefined && isWrapperDesc(type)) return goJson(inner, text, place);
  switch (type.typeName) {
    case "google.protobuf.Timestamp":
      return text;
    case "google.protobuf.Duration":
      return place === "path" ? protoDurationIn(text) : goDurationIn(text);
    case "google.protobuf.FieldMask":
      return jsonPaths(text);
    case "google.protobuf.Struct":
    case "google.protobuf.Value":
      return JSON.parse(text) as JsonValue;
    default:
      return undefined;
  }
}

function scalarJson(scalar: ScalarType, text: string): string | number | boolean | undefined {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BYTES:
      return base64In(text);
    case ScalarType.BOOL:
      return booleans.get(text);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT: {
      const value = floatIn(text, scalar === ScalarType.FLOAT);
      return value === undefined || Number.isFinite(value) ? value : String(value);
    }
    default:
      return integerIn(text, kindOf(scalar).startsWith("uint"))?.toString();
  }
}

function goJson(
  field: Pick<DescField, "enum" | "message" | "scalar">,
  text: string,
  place: Place,
): JsonValue | undefined {
  if (field.message !== undefined) return messageJson(field.message, text, place);
  if (field.enum === undefined) return scalarJson(field.scalar ?? ScalarType.STRING, text);
  const { values } = field.enum;
  const asked = integerIn(text, false);
  const value = values.find(({ name }) => name === text) ?? values.find(({ number }) => BigInt(number) === asked);
  return value?.number;
}

/**
 * Converts the text of a field to ProtoJSON, by the place of its first field. The variables for nested fields are read as a query is, except in proto2
 * (template.go, IsNestedProto3). @param place of the field
 */
export function goJsonOf(fields: readonly DescField[], place: Place): JsonOfText {
  const field = fields.at(-1) as DescField;
  const isProto2 = fields[0]?.parent.file.edition === Edition.EDITION_PROTO2;
  const readAs = fields.length > 1 && !isProto2 ? "query" : place;
  return (text) => goJson(field, text, readAs);
}

// Names of query parameters: `labels[a]=b`, `since.seconds=5`. https://github.com/grpc-ecosystem/grpc-gateway/blob/main/runtime/query.go
// Unlike there, a parameter that is no field of the request is refused.

/** The fields along a path of names; undefined if one is unknown. */
function fieldsAt(input: DescMessage, path: string): readonly DescField[] | undefined {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = input;
  for (const part of path.split(".")) {
    const field: DescField | undefined =
      message?.fields.find((each) => each.name === part) ?? message?.fields.find(({ jsonName }) => jsonName === part);
    if (field === undefined) return undefined;
    const last = fields.at(-1);
    // protobuf-es stores the value itself.
    if (last === undefined || !isUnwrapped(last)) fields.push(field);
    message = field.fieldKind === "message" && !isJsonStruct(field) ? field.message : undefined;
  }
  return fields;
}

/** The fields of a parameter, and the key in brackets. Throws INVALID_ARGUMENT for a map without one, and for another field with one. */
export function gatewayParameter(
  input: DescMessage,
  name: string,
): { readonly fields: readonly DescField[]; readonly key: string | undefined } | undefined {
  const bracket = name.endsWith("]") ? name.lastIndexOf("[") : -1;
  const key = bracket === -1 ? undefined : name.slice(bracket + 1, -1);
  const fields = fieldsAt(input, bracket === -1 ? name : name.slice(0, bracket));
  const field = fields?.at(-1);
  if (fields === undefined || field === undefined) return undefined;
  if ((field.fieldKind === "map") !== (key !== undefined)) {
    throw badField(name, "a map has keys in brackets, name[key]=value, and no other field has");
  }
  if (field.fieldKind !== "map" || key === undefined) return { fields, key };
  const json = scalarJson(field.mapKey, key);
  const read = json === undefined ? undefined : keyReader(field.mapKey)(String(json));
  if (read === undefined) throw badField(name, `cannot have the key ${JSON.stringify(key)}`);
  return { fields, key: read };
}
