// Old contracts may have fields that differ in nothing but their spelling, `foo_bar` and `fooBar`, and in JSON they would be one. Then each is
// written as the contract spells it.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { DescriptorProto, FieldDescriptorProto, FileDescriptorSet } from "@bufbuild/protobuf/wkt";

/** What protoc calls a field in JSON, unless told otherwise. */
function usualJsonName(name: string): string {
  return name.replaceAll(/_+([^_])?/g, (_, next: string | undefined) => (next ?? "").toUpperCase());
}

const jsonNameOf = ({ name, jsonName }: FieldDescriptorProto): string => jsonName || usualJsonName(name);

function separate({ field: fields, nestedType }: DescriptorProto): void {
  const counts = new Map<string, number>();
  for (const field of fields) counts.set(jsonNameOf(field), (counts.get(jsonNameOf(field)) ?? 0) + 1);
  for (const field of fields) if ((counts.get(jsonNameOf(field)) ?? 0) > 1) field.jsonName = field.name;
  for (const nested of nestedType) separate(nested);
}

/** Gives fields of one JSON name their own names in JSON, in place. */
export function withDistinctJsonNames(set: FileDescriptorSet): FileDescriptorSet {
  for (const file of set.file) for (const message of file.messageType) separate(message);
  return set;
}

const usualNames = new WeakMap<DescMessage, ReadonlyMap<string, readonly DescField[]>>();

/** True for a field that is spelled in JSON as in the contract because another one would have its usual name there. */
export function sharesJsonName({ name, jsonName, parent }: DescField): boolean {
  if (jsonName !== name) return false;
  // Made once per message: contracts that programs write have messages of thousands of fields.
  const byUsualName = usualNames.get(parent) ?? Map.groupBy(parent.fields, (field) => usualJsonName(field.name));
  usualNames.set(parent, byUsualName);
  return (byUsualName.get(usualJsonName(name)) ?? []).some((other) => other.name !== name);
}
