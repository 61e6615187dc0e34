// The values of a field: their form in binary and in JSON, and their range.
import { memoize } from "@roundtrip/contract";
import { ScalarType, type DescEnum, type DescField, type DescMessage } from "@bufbuild/protobuf";

/** How protobuf's binary format encodes a value. Types of one form can be read as each other. */
export type WireForm = "varint" | "zigzag" | "fixed32" | "fixed64" | "float" | "double" | "bytes" | "message" | "group";

/** How ProtoJSON encodes a value. */
export type JsonForm = "integer" | "integer text" | "number" | "boolean" | "text" | "base64" | "name" | "message";

export const numericForms: ReadonlySet<JsonForm> = new Set(["integer", "integer text", "number"]);

export interface ValueType {
  /** As in a .proto file. */
  readonly text: string;
  readonly wire: WireForm;
  readonly json: JsonForm;
  /** The least and greatest whole number; of a closed enum, of its values. */
  readonly range: readonly [bigint, bigint] | undefined;
}

const signed32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const unsigned32 = [0n, 2n ** 32n - 1n] as const;
const signed64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const unsigned64 = [0n, 2n ** 64n - 1n] as const;

const scalars: Readonly<Record<ScalarType, ValueType>> = {
  [ScalarType.DOUBLE]: { text: "double", wire: "double", json: "number", range: undefined },
  [ScalarType.FLOAT]: { text: "float", wire: "float", json: "number", range: undefined },
  [ScalarType.INT64]: { text: "int64", wire: "varint", json: "integer text", range: signed64 },
  [ScalarType.UINT64]: { text: "uint64", wire: "varint", json: "integer text", range: unsigned64 },
  [ScalarType.INT32]: { text: "int32", wire: "varint", json: "integer", range: signed32 },
  [ScalarType.FIXED64]: { text: "fixed64", wire: "fixed64", json: "integer text", range: unsigned64 },
  [ScalarType.FIXED32]: { text: "fixed32", wire: "fixed32", json: "integer", range: unsigned32 },
  [ScalarType.BOOL]: { text: "bool", wire: "varint", json: "boolean", range: [0n, 1n] },
  [ScalarType.STRING]: { text: "string", wire: "bytes", json: "text", range: undefined },
  [ScalarType.BYTES]: { text: "bytes", wire: "bytes", json: "base64", range: undefined },
  [ScalarType.UINT32]: { text: "uint32", wire: "varint", json: "integer", range: unsigned32 },
  [ScalarType.SFIXED32]: { text: "sfixed32", wire: "fixed32", json: "integer", range: signed32 },
  [ScalarType.SFIXED64]: { text: "sfixed64", wire: "fixed64", json: "integer text", range: signed64 },
  [ScalarType.SINT32]: { text: "sint32", wire: "zigzag", json: "integer", range: signed32 },
  [ScalarType.SINT64]: { text: "sint64", wire: "zigzag", json: "integer text", range: signed64 },
};

/** Once for each enum, which can have fifty thousand values. */
const ofEnum = memoize(({ typeName, values, open }: DescEnum): ValueType => {
  const numbers = values.map(({ number }) => BigInt(number)).toSorted((a, b) => (a < b ? -1 : 1));
  const named = [numbers[0] ?? 0n, numbers.at(-1) ?? 0n] as const;
  return { text: typeName, wire: "varint", json: "name", range: open ? signed32 : named };
});

function ofMessage({ typeName }: DescMessage, isGroup: boolean): ValueType {
  return { text: typeName, wire: isGroup ? "group" : "message", json: "message", range: undefined };
}

/** Whether a field's messages are delimited by tags, as in a group, instead of having a length. */
function isDelimited(field: DescField): boolean {
  return field.message !== undefined && "delimitedEncoding" in field && field.delimitedEncoding;
}

/** The type of a field's values; for lists and maps, of one of them. */
export function valueTypeOf(field: DescField): ValueType {
  if (field.message !== undefined) return ofMessage(field.message, isDelimited(field));
  if (field.enum !== undefined) return ofEnum(field.enum);
  return scalars[field.scalar ?? ScalarType.STRING];
}

/** As in a .proto file, without `repeated`. */
export function typeText(field: DescField): string {
  const { text: type, wire } = valueTypeOf(field);
  const text = wire === "group" ? `${type} (delimited)` : type;
  return field.fieldKind === "map" ? `map<${scalars[field.mapKey].text}, ${text}>` : text;
}

/** Whether every value of `inner` is a value of `outer`. */
export function isWithin(inner: ValueType, outer: ValueType): boolean {
  if (inner.range === undefined || outer.range === undefined) {
    const wider = { float: "double", string: "bytes" }[inner.text];
    return inner.text === outer.text || outer.text === wider;
  }
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

/** Whether the bytes of one can be read as the other. */
export function isSameOnTheWire(before: DescField, after: DescField): boolean {
  if (before.fieldKind === "map" && after.fieldKind === "map") return haveSameEntries(before, after);
  if (before.fieldKind === "map") return isEntry(after, before);
  if (after.fieldKind === "map") return isEntry(before, after);
  return valueTypeOf(before).wire === valueTypeOf(after).wire;
}

function haveSameEntries(before: MapField, after: MapField): boolean {
  return (
    scalars[before.mapKey].wire === scalars[after.mapKey].wire && valueTypeOf(before).wire === valueTypeOf(after).wire
  );
}

/** Whether a field has messages with the bytes of a map's entries: a key that is field 1, and a value that is field 2. */
function isEntry(field: DescField, map: MapField): boolean {
  if (field.message === undefined || valueTypeOf(field).wire !== "message") return false;
  const [key, value] = [1, 2].map((number) => field.message?.fields.find((member) => member.number === number));
  if (key?.fieldKind !== "scalar" || value === undefined) return false;
  if (value.fieldKind === "list" || value.fieldKind === "map") return false;
  return scalars[key.scalar].wire === scalars[map.mapKey].wire && valueTypeOf(value).wire === valueTypeOf(map).wire;
}

type MapField = DescField & { readonly fieldKind: "map" };
