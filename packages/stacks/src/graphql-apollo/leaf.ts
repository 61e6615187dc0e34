// Values that GraphQL sees as one piece: which scalar carries them, and how they are written in JSON. Server and client share this.
import {
  create,
  fromJson,
  ScalarType,
  toJson,
  type DescMessage,
  type JsonValue,
  type Registry,
} from "@bufbuild/protobuf";
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";
import { camelPath, snakePath } from "./field-name.ts";
import { minusZero, withMinusZero } from "./minus-zero.ts";

/** One kind of value. `encode` and `decode` throw an Error on a value that the scalar cannot carry. */
export interface Leaf {
  /** The GraphQL scalar; `String` lists for field masks. */
  readonly type: string;
  readonly isList: boolean;
  /** From protobuf-es' representation to JSON. */
  readonly encode: (value: unknown) => unknown;
  /** From JSON to protobuf-es' representation. */
  readonly decode: (json: unknown) => unknown;
}

/** Encodes what JSON carries as it is: a resolver may hand out the message's own property. */
export const asItIs = (value: unknown): unknown => value;

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

const int = typed("Int", within(-(2 ** 31), 2 ** 31 - 1));
const uint32 = typed("UInt32", within(0, 2 ** 32 - 1));
// Half of a surrogate pair is no character: protobuf's text is UTF-8, which cannot write it.
const text = typed("String", (json) => typeof json === "string" && json.isWellFormed());
const boolean = typed("Boolean", (json) => typeof json === "boolean");

const notFinite: ReadonlySet<unknown> = new Set(["NaN", "Infinity", "-Infinity"]);

/** Numbers as GraphQL's Float has them, and the three that it has not as text, in ProtoJSON's words. */
const double: Leaf = {
  type: "Double",
  isList: false,
  encode(value) {
    if (Number.isFinite(value)) return Object.is(value, -0) ? minusZero : value;
    return String(value);
  },
  decode(json) {
    if (Number.isFinite(json)) return json;
    if (!notFinite.has(json)) throw new Error(`not a value of Double: ${JSON.stringify(json)}`);
    return Number(json);
  },
};

const largestFloat = 3.4028234663852886e38;

/** Rounded to single precision, as it is on the wire of gRPC. */
const single: Leaf = {
  ...double,
  decode(json) {
    const value = double.decode(json) as number;
    if (Number.isFinite(value) && Math.abs(value) > largestFloat) throw new Error(`too large for a float: ${value}`);
    return Math.fround(value);
  },
};

/** 64-bit integers as decimal text, exact in every client. */
function wide(type: string, low: bigint, high: bigint, asText: boolean): Leaf {
  return {
    type,
    isList: false,
    encode: String,
    decode(json) {
      const exact = typeof json === "string" ? /^-?\d{1,20}$/.test(json) : Number.isSafeInteger(json);
      const value = exact ? BigInt(json as string | number) : undefined;
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
  encode: (value) => base64Encode(value as Uint8Array),
  decode(json) {
    if (typeof json !== "string") throw new Error(`not a value of Base64: ${JSON.stringify(json)}`);
    return base64Decode(json);
  },
};

/** @param longAsString protobuf-es holds this 64-bit field as text (`jstype = JS_STRING`). */
export function scalarLeaf(scalar: ScalarType, longAsString: boolean): Leaf {
  switch (scalar) {
    case ScalarType.STRING:
      return text;
    case ScalarType.BOOL:
      return boolean;
    case ScalarType.BYTES:
      return base64;
    case ScalarType.FLOAT:
      return single;
    case ScalarType.DOUBLE:
      return double;
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return int;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return uint32;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return wide("Int64", -(2n ** 63n), 2n ** 63n - 1n, longAsString);
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return wide("UInt64", 0n, 2n ** 64n - 1n, longAsString);
  }
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
  "google.protobuf.Value": "JSON",
  "google.protobuf.ListValue": "JSON",
};

/**
 * The leaf of a message type that GraphQL sees as one value; undefined for those that become object types.
 * @param isOne not an element of a list or map.
 */
export function messageLeaf(message: DescMessage, isOne: boolean, registry: Registry): Leaf | undefined {
  if (message.typeName === FieldMaskSchema.typeName && isOne) return fieldMask;
  // protobuf-es holds a Struct as the JSON object that it is.
  if (message.typeName === "google.protobuf.Struct") {
    return { ...typed("JSON", (json) => typeof json === "object"), encode: withMinusZero };
  }
  const type = scalarOfWellKnown[message.typeName];
  if (type === undefined) return undefined;
  return {
    type,
    isList: false,
    encode: (value) => withMinusZero(toJson(message, value as never, { registry })),
    decode: (json) => fromJson(message, json as JsonValue, { registry }),
  };
}
