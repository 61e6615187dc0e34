// Extensions of messages, as fields: callers find them by number in binary, and by their full name in brackets in JSON.
import type { DescExtension, DescField, DescMessage, FileRegistry } from "@bufbuild/protobuf";
import type { Change } from "./change.ts";

/** As a field of the message that it extends. */
function asField(extension: DescExtension): DescField {
  const { extendee, typeName } = extension;
  return { ...extension, kind: "field", parent: extendee, name: `[${typeName}]` } as unknown as DescField;
}

/** Whether a field is an extension. */
export function isExtension({ name }: DescField): boolean {
  return name.startsWith("[");
}

/** Whether a change is about an extension. */
export function isOfExtension(change: Change): boolean {
  if (change.kind === "field-added" || change.kind === "field-removed") return isExtension(change.field);
  return change.kind.startsWith("field-") && "before" in change && isExtension(change.before as DescField);
}

/** The fields of a message, then the extensions of it that a contract declares. */
export function membersOf(message: DescMessage, registry: FileRegistry): readonly DescField[] {
  if (message.proto.extensionRange.length === 0) return message.fields;
  const extensions = [...registry].flatMap((desc) =>
    desc.kind === "extension" && desc.extendee.typeName === message.typeName ? [asField(desc)] : [],
  );
  return [...message.fields, ...extensions.toSorted((a, b) => a.number - b.number)];
}
