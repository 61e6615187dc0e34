// Which attributes of descriptors differ between two contracts, as `FieldOptions.packed`.
import { type DescMessage, getExtension, hasExtension, type Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema, MethodOptionsSchema } from "@bufbuild/protobuf/wkt";
import { HttpRuleSchema } from "@roundtrip/contract/gen/google/api/http_pb";
import { http } from "@roundtrip/contract/gen/google/api/annotations_pb";
import type { Contract } from "@roundtrip/contract";

/** What tells a member of a list from the others: by it the members before and after are paired. */
function keysOf(list: readonly Message[]): ReadonlyMap<string, Message> {
  return new Map(list.map((member, index) => [(member as { readonly name?: string }).name ?? String(index), member]));
}

function listOf(message: ReflectMessage | undefined, field: DescMessage["fields"][number]): readonly Message[] {
  if (message === undefined) return [];
  return [...(message.get(field) as Iterable<ReflectMessage>)].map((member) => member.message);
}

function attributeName(type: DescMessage, name: string): string {
  return `${type.name}.${name}`;
}

/** Adds what differs between two messages of a type; undefined is one that is not there. */
function compare(type: DescMessage, before: Message | undefined, after: Message | undefined, into: Set<string>): void {
  const [old, young] = [before, after].map((message) => (message === undefined ? undefined : reflect(type, message)));
  for (const field of type.fields) {
    const name = attributeName(type, field.name);
    if (field.fieldKind === "list" && field.listKind === "message") {
      const [olds, youngs] = [keysOf(listOf(old, field)), keysOf(listOf(young, field))];
      for (const key of new Set([...olds.keys(), ...youngs.keys()])) {
        if (!olds.has(key) || !youngs.has(key)) into.add(name);
        else compare(field.message, olds.get(key), youngs.get(key), into);
      }
    } else if (field.fieldKind === "message") {
      const values = [old, young].map((message) =>
        message?.isSet(field) === true ? message.get(field).message : undefined,
      );
      if (values.some((value) => value !== undefined)) compare(field.message, values[0], values[1], into);
    } else {
      const texts = [old, young].map((message) =>
        message?.isSet(field) === true
          ? JSON.stringify(
              field.fieldKind === "list" ? [...(message.get(field) as Iterable<unknown>)] : message.get(field),
              (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value),
            )
          : undefined,
      );
      if (texts[0] !== texts[1]) into.add(name);
    }
  }
  if (type.typeName !== MethodOptionsSchema.typeName) return;
  const rules = [before, after].map((options) =>
    options !== undefined && hasExtension(options as never, http) ? getExtension(options as never, http) : undefined,
  );
  if (rules.some((rule) => rule !== undefined)) compare(HttpRuleSchema, rules[0], rules[1], into);
}

/** The attributes that differ in the file of this name: common imports are long, and the same in both. */
export function changedAttributes(before: Contract, after: Contract, fileName: string): ReadonlySet<string> {
  const changed = new Set<string>();
  const [old, young] = [before, after].map(({ registry }) => registry.getFile(fileName)?.proto);
  compare(FileDescriptorProtoSchema, old, young, changed);
  return changed;
}

/** Every attribute of a message of descriptor.proto and of those in it, and of HTTP rules. */
export function everyAttribute(): ReadonlySet<string> {
  const names = new Set<string>();
  const visited = new Set<string>();
  const visit = (type: DescMessage): void => {
    if (visited.has(type.typeName)) return;
    visited.add(type.typeName);
    for (const field of type.fields) {
      // A message differs by its fields, and a name by what a list has.
      if (field.fieldKind !== "message" && field.name !== "name") names.add(attributeName(type, field.name));
      if (field.message !== undefined) visit(field.message);
    }
  };
  visit(FileDescriptorProtoSchema);
  visit(HttpRuleSchema);
  return names;
}
