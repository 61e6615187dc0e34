// The properties of message objects. The library names them after fields and oneofs in camelCase, where two may get one name, or that of
// something every object has: one of them would then be lost on every style. Here such a member gets a property of its own.
import type { DescField, DescMessage, DescOneof, FileRegistry } from "@bufbuild/protobuf";

type Named = { localName: string };

function suffixOf(member: DescField | DescOneof): string {
  return member.kind === "field" ? `_${member.number}` : "_oneof";
}

/** The first of a name keeps it. */
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

/** Gives every member of every message a property of its own, in place. To be done before the first message is made. */
export function withDistinctLocalNames(registry: FileRegistry): FileRegistry {
  for (const file of registry.files) for (const message of file.messages) inMessage(message);
  return registry;
}
