// Gives members of messages distinct property names. The library names properties after fields and oneofs in camelCase, where two members
// can get the same name, or the name of a property of every object. One of them would be lost on every style.
import type { DescField, DescMessage, DescOneof, FileRegistry } from "@bufbuild/protobuf";

type Named = { localName: string };

function suffixOf(member: DescField | DescOneof): string {
  return member.kind === "field" ? `_${member.number}` : "_oneof";
}

/** The first member with a name keeps it. */
function separate(members: readonly (DescField | DescOneof)[]): void {
  const taken = new Set<string>();
  for (const member of members) {
    let { localName } = member;
    if (localName in Object.prototype) localName += "$";
    if (localName === "" || taken.has(localName)) localName += suffixOf(member);
    taken.add(localName);
    if (localName !== member.localName) (member as Named).localName = localName;
  }
}

function inMessage(message: DescMessage): void {
  separate(message.members);
  for (const oneof of message.oneofs) separate(oneof.fields);
  for (const nested of message.nestedMessages) inMessage(nested);
}

/** Gives every member of every message its own property. Changes the registry that it gets; call it before creating messages. */
export function withDistinctLocalNames(registry: FileRegistry): FileRegistry {
  for (const file of registry.files) for (const message of file.messages) inMessage(message);
  return registry;
}
