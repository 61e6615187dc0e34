// A cache key that only equal requests share. Simple requests need not be encoded for it.
import { ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import type { RequestBytes } from "./request-seed.ts";

/** Larger requests have no key: their answers are not cached. */
const maxCharacters = 256;

/** Types whose values differ exactly if their texts differ. */
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

/** For requests that contain only plain fields. */
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

/** The key of a request; undefined if it is too large. */
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
