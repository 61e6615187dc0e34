// Keeps a request to what its URL can carry, so that REST can send it.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import type { RequestStep } from "./resource-request.ts";

/** Messages that are one text in JSON. */
const texts: ReadonlySet<string> = new Set(
  ["Timestamp", "Duration", "FieldMask"].map((name) => `google.protobuf.${name}`),
);
/** Messages that are JSON of any form. */
const opaque: ReadonlySet<string> = new Set(
  ["Any", "Struct", "Value", "ListValue"].map((name) => `google.protobuf.${name}`),
);

function isText(message: DescMessage): boolean {
  return texts.has(message.typeName) || isWrapperDesc(message);
}

/** Lists of messages and maps have no form in a URL (google/api/http.proto). */
function hasNoForm(field: DescField): boolean {
  if (field.fieldKind === "map") return true;
  if (field.fieldKind === "list") return field.listKind === "message" && !isText(field.message);
  return field.fieldKind === "message" && opaque.has(field.message.typeName);
}

function clearInside(message: ReflectMessage, fields: readonly DescField[]): void {
  for (const field of fields) {
    if (!message.isSet(field)) continue;
    if (hasNoForm(field)) message.clear(field);
    else if (field.fieldKind === "message" && !isText(field.message)) {
      clearInside(message.get(field), field.message.fields);
    }
  }
}

/** Clears fields that the first HTTP binding puts into the URL, and that a URL cannot carry. */
export function fittingUrl({ input, bindings: [{ body }] }: Operation): RequestStep {
  if (body === "*") return () => undefined;
  const fields = input.fields.filter(({ name }) => name !== body);
  return (request: Message) => clearInside(reflect(input, request, false), fields);
}
