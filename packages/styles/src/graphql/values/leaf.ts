// Leaf values of GraphQL: their scalars and JSON forms, for server and client.
import { create, ScalarType, type DescMessage, type JsonValue, type Message, type Registry } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { bytesOfText, textOfBytes, kindOf, scalarSpelling } from "../../shared/proto-json/scalars.ts";
import { negativeZero } from "../../shared/proto-json/json-text.ts";
import { messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { messageToJson } from "../../shared/proto-json/message-to-json.ts";
import { camelPath, snakePath } from "../schema/field-name.ts";

/** One kind of value. `encode` and `decode` throw an Error for values that the scalar cannot carry. */
export interface Leaf {
  /** The GraphQL scalar; for field masks, lists of `String`. */
  readonly type: string;
  readonly isList: boolean;
  /** From the protobuf-es form to JSON. */
  readonly encode: (value: unknown) => unknown;
  /** From JSON to the protobuf-es form. */
  readonly decode: (json: unknown) => unknown;
}

/** The identity, for values that are the same in JSON: a resolver may return the message's property. */
export const asItIs = (value: unknown): unknown => value;

function holdsMinusZero(json: unknown): boolean {
  if (typeof json === "number") {
    if (!Number.isFinite(json)) throw new Error(`JSON has no number ${json}`);
    return Object.is(json, -0);
  }
  return typeof json === "object" && json !== null && Object.values(json).filter(holdsMinusZero).length > 0;
}

function copied(json: unknown): unknown {
  if (typeof json !== "object" || json === null) return Object.is(json, -0) ? negativeZero : json;
  if (Array.isArray(json)) return json.map(copied);
  // Entries keep keys such as `__proto__`.
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, copied(value)]));
}

/** Prepares JSON so that JSON.stringify preserves −0. Copies only if necessary. Throws an Error for a number that JSON cannot represent. */
function withMinusZero(json: unknown): unknown {
  return holdsMinusZero(json) ? copied(json) : json;
}

function typed(type: string, check: (json: unknown) => boolean): Leaf {
  const decode = (json: unknown): unknown => {
    if (!check(json)) throw new Error(`not a value of ${type}: ${JSON.stringify(json)}`);
    return json;
  };
  return { type, isList: false, encode: asItIs, decode };
}

function within(low: number, high: number): (json: unknown) => boolean {
  return (json) => Number.isInteger(json) && (json as number) >= low && (json as number) <= high;
}

const anyInt = typed("Int", within(-(2 ** 31), 2 ** 31 - 1));
// Integers have no −0.
const int: Leaf = { ...anyInt, decode: (json) => (anyInt.decode(json) as number) + 0 };

// Lone surrogates are not valid: protobuf text is UTF-8.
const text = typed("String", (json) => typeof json === "string" && json.isWellFormed());
const boolean = typed("Boolean", (json) => typeof json === "boolean");

/** Parses a custom scalar as ProtoJSON spells its type. Throws an Error for an invalid value. */
function spelled(scalar: ScalarType, type: string): (json: unknown) => string | number {
  const read = scalarSpelling(scalar);
  return (json) => {
    const value = read === undefined ? json : read(json, 0);
    if (typeof value === "string" || typeof value === "number") return value;
    throw new Error(`not a value of ${type}: ${JSON.stringify(json)}`);
  };
}

const spelledUint32 = spelled(ScalarType.UINT32, "UInt32");
const isUint32 = within(0, 2 ** 32 - 1);

const uint32: Leaf = {
  type: "UInt32",
  isList: false,
  encode: asItIs,
  decode(json) {
    const value = spelledUint32(json);
    if (!isUint32(value)) throw new Error(`not a value of UInt32: ${JSON.stringify(json)}`);
    return value;
  },
};

function fraction(scalar: ScalarType): Leaf {
  const read = spelled(scalar, "Double");
  return {
    type: "Double",
    isList: false,
    /** Finite numbers as in GraphQL's Float; NaN and the infinities as ProtoJSON text. */
    encode(value) {
      if (Number.isFinite(value)) return Object.is(value, -0) ? negativeZero : value;
      return String(value);
    },
    decode(json) {
      const value = read(json);
      const number = Number(value);
      // Numeric text beyond the range of doubles is not one of the three words.
      if (Number.isFinite(number) || value === String(number)) return number;
      throw new Error(`not a value of Double: ${JSON.stringify(json)}`);
    },
  };
}

const double = fraction(ScalarType.DOUBLE);
/** Rounded to single precision, as in gRPC's binary form. */
const single = fraction(ScalarType.FLOAT);

/** 64-bit integers as decimal text, exact in every client. */
function wide(type: string, low: bigint, high: bigint, asText: boolean): Leaf {
  const read = spelled(ScalarType.INT64, type);
  return {
    type,
    isList: false,
    encode: String,
    decode(json) {
      const digits = read(json);
      const value = typeof digits === "string" || Number.isSafeInteger(digits) ? BigInt(digits) : undefined;
      if (value === undefined || value < low || value > high) {
        throw new Error(`not a value of ${type}: ${JSON.stringify(json)}`);
      }
      return asText ? value.toString() : value;
    },
  };
}

const base64: Leaf = {
  type: "Base64",
  isList: false,
  encode: (value) => textOfBytes(value as Uint8Array),
  decode(json) {
    const bytes = typeof json === "string" ? bytesOfText(json) : undefined;
    if (bytes === undefined) throw new Error(`not a value of Base64: ${JSON.stringify(json)}`);
    return bytes;
  },
};

const leaves = {
  string: text,
  bool: boolean,
  bytes: base64,
  float: single,
  double,
  int32: int,
  uint32,
} as const;

/** @param longAsString whether protobuf-es stores this 64-bit field as text (`jstype = JS_STRING`). */
export function scalarLeaf(scalar: ScalarType, longAsString: boolean): Leaf {
  const kind = kindOf(scalar);
  if (kind === "int64") return wide("Int64", -(2n ** 63n), 2n ** 63n - 1n, longAsString);
  if (kind === "uint64") return wide("UInt64", 0n, 2n ** 64n - 1n, longAsString);
  return leaves[kind];
}

const fieldMask: Leaf = {
  type: "String",
  isList: true,
  encode: (value) => (value as { readonly paths: readonly string[] }).paths.map((path) => camelPath(path)),
  decode(json) {
    if (!Array.isArray(json)) throw new Error(`not a list of paths: ${JSON.stringify(json)}`);
    return create(FieldMaskSchema, { paths: json.map((path) => snakePath(String(path))) });
  },
};

const scalarOfWellKnown: Readonly<Record<string, string>> = {
  "google.protobuf.Timestamp": "DateTime",
  "google.protobuf.Duration": "Duration",
  "google.protobuf.FieldMask": "String",
  "google.protobuf.Any": "JSON",
  "google.protobuf.Struct": "JSON",
  "google.protobuf.Value": "JSON",
  "google.protobuf.ListValue": "JSON",
};

/** The leaf of a message type with one value; undefined for object types. @param isOne false for elements of a list or map. */
export function messageLeaf(message: DescMessage, isOne: boolean, registry: Registry): Leaf | undefined {
  if (message.typeName === FieldMaskSchema.typeName && isOne) return fieldMask;
  const type = scalarOfWellKnown[message.typeName];
  if (type === undefined) return undefined;
  const read = messageFromJson(message, { registry });
  const write = messageToJson(message, { registry });
  if (message.typeName === "google.protobuf.Struct") {
    const decode = (json: unknown): unknown => {
      read(json as JsonValue);
      // protobuf-es stores a Struct as a JSON object.
      return json;
    };
    return { type, isList: false, encode: withMinusZero, decode };
  }
  return {
    type,
    isList: false,
    encode: (value) => withMinusZero(write(value as Message)),
    decode: (json) => read(json as JsonValue),
  };
}
