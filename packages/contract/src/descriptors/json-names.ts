// Gives fields distinct JSON names. Old contracts can have both `foo_bar` and `fooBar`, which would share one JSON name; such fields keep
// the contract's spelling in JSON.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { DescriptorProto, FieldDescriptorProto, FileDescriptorSet } from "@bufbuild/protobuf/wkt";

/** The JSON name that protoc gives a field without `json_name`. */
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

/** Gives fields that share a JSON name distinct ones. Changes the set that it gets. */
export function withDistinctJsonNames(set: FileDescriptorSet): FileDescriptorSet {
  for (const file of set.file) for (const message of file.messageType) separate(message);
  return set;
}

const usualNames = new WeakMap<DescMessage, ReadonlyMap<string, readonly DescField[]>>();

/** True for a field that keeps the contract's spelling in JSON because another field has the same default name. */
export function sharesJsonName({ name, jsonName, parent }: DescField): boolean {
  if (jsonName !== name) return false;
  // Computed once per message: generated contracts have messages with thousands of fields.
  const byUsualName = usualNames.get(parent) ?? Map.groupBy(parent.fields, (field) => usualJsonName(field.name));
  usualNames.set(parent, byUsualName);
  return (byUsualName.get(usualJsonName(name)) ?? []).some((other) => other.name !== name);
}
