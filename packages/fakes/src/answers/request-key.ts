// A text that equal requests have in common, and no others: what answers are kept by. Simple requests need not be encoded for it.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { RequestBytes } from "./request-seed.ts";

/** Larger requests have none: answers to them are not kept. */
const maxCharacters = 256;

/** The types whose values are told apart by their texts. */
const plainTypes: ReadonlySet<ScalarType> = new Set([
  ScalarType.STRING,
  ScalarType.BOOL,
  ScalarType.INT32,
  ScalarType.UINT32,
  ScalarType.INT64,
  ScalarType.UINT64,
]);

function isPlain(field: DescField): boolean {
  return field.fieldKind === "scalar" && field.presence === Presence.IMPLICIT && plainTypes.has(field.scalar);
}

/** Of requests with nothing but plain fields. */
function plainKey(names: readonly string[]): (request: Message) => string {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    return (request) => String((request as unknown as Readonly<Record<string, unknown>>)[only]);
  }
  return (request) => {
    let key = "";
    for (const name of names) {
      const text = String((request as unknown as Readonly<Record<string, unknown>>)[name]);
      key += `${text.length}:${text}`;
    }
    return key;
  };
}

/** Gives the key of a request; undefined for one that is too large. */
export function requestKey({ fields }: DescMessage, bytesOf: RequestBytes): (request: Message) => string | undefined {
  if (fields.every(isPlain)) {
    const keyOf = plainKey(fields.map(({ localName }) => localName));
    return (request) => {
      const key = keyOf(request);
      return key.length > maxCharacters ? undefined : key;
    };
  }
  return (request) => {
    const bytes = bytesOf(request);
    return bytes.length > maxCharacters ? undefined : bytes.toString("latin1");
  };
}
