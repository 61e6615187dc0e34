// How a reader of JSON that knows nothing but the document takes an answer: numbers are numbers, text is text, names are names.
import { ScalarType, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { asMany, bytesText, fieldPairs, withoutZeros, type Renamed, type View } from "./same-values.ts";

const asText: ReadonlySet<ScalarType> = new Set([
  ScalarType.STRING,
  ScalarType.BYTES,
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function typeIn({ scalar, enum: named, message }: DescField): "string" | "boolean" | "number" | "object" {
  if (message !== undefined) return "object";
  if (named !== undefined || scalar === undefined || asText.has(scalar)) return "string";
  return scalar === ScalarType.BOOL ? "boolean" : "number";
}

/** What JSON says in the words of the contract before. Throws an Error where it has another form than the contract says. */
export function jsonViewOf(json: unknown, old: DescMessage, young: DescMessage, renamed: Renamed): View {
  const object = json as Readonly<Record<string, unknown>>;
  const entries = fieldPairs(old, young, renamed).flatMap(([field, other]): (readonly [string, View])[] => {
    const value = object[field.jsonName];
    if (value === undefined) return [];
    const one = (item: unknown): View => {
      if (typeof item !== typeIn(field)) throw new Error(`${field.jsonName} is ${JSON.stringify(item)}`);
      if (field.scalar === ScalarType.BYTES) return bytesText(Buffer.from(item as string, "base64"), field, other);
      if (field.message === undefined || other.message === undefined) return String(item);
      return jsonViewOf(item, field.message, other.message, renamed);
    };
    if (field.fieldKind === "list") {
      if (!Array.isArray(value)) throw new Error(`${field.jsonName} is no list`);
      return [[field.name, asMany(value.map(one), field, other)]];
    }
    if (field.fieldKind === "map") {
      const items = Object.entries(value as object).map(([key, item]) => [key, one(item)]);
      return [[field.name, Object.fromEntries(items) as View]];
    }
    return [[field.name, one(value)]];
  });
  return withoutZeros(entries);
}
