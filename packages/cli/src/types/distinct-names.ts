// Renames members with equal names in TypeScript, in the generator's descriptors only: number, JSON name and wire format stay.
import type { DescField, DescMessage, DescOneof, FileRegistry } from "@bufbuild/protobuf";
import type { DescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";
import { withSourceInfo } from "@roundtrip/contract";

export interface RenamedMember {
  readonly message: string;
  readonly from: string;
  readonly to: string;
}

export interface DistinctFiles {
  readonly files: readonly FileDescriptorProto[];
  readonly renamed: readonly RenamedMember[];
}

/** The suffix that a loaded contract appends to a duplicate name. Names in camelCase have no other `_`. */
function suffixOf(member: DescField | DescOneof): string | undefined {
  const suffix = member.kind === "field" ? `_${member.number}` : "_oneof";
  return member.localName.endsWith(suffix) ? suffix : undefined;
}

type Names = Map<object, string>;

function namesIn(message: DescMessage, names: Names): readonly RenamedMember[] {
  const members = [...message.fields, ...message.oneofs];
  const renamed = members.flatMap((member) => {
    const suffix = suffixOf(member);
    if (suffix === undefined) return [];
    const to = `${member.name}${suffix}`;
    names.set(member.proto, to);
    return [{ message: message.typeName, from: member.name, to }];
  });
  return [...renamed, ...message.nestedMessages.flatMap((nested) => namesIn(nested, names))];
}

function renamedIn(message: DescriptorProto, names: Names): DescriptorProto {
  return {
    ...message,
    field: message.field.map((field) => ({ ...field, name: names.get(field) ?? field.name })),
    oneofDecl: message.oneofDecl.map((oneof) => ({ ...oneof, name: names.get(oneof) ?? oneof.name })),
    nestedType: message.nestedType.map((nested) => renamedIn(nested, names)),
  };
}

/** The files of a loaded contract, each after its imports. */
export function distinctNames({ files }: FileRegistry): DistinctFiles {
  const all = [...files];
  const names: Names = new Map();
  const renamed = all.flatMap((file) => file.messages.flatMap((message) => namesIn(message, names)));
  const protos = all.map(withSourceInfo);
  if (renamed.length === 0) return { files: protos, renamed };
  return {
    files: protos.map((file) => ({
      ...file,
      messageType: file.messageType.map((message) => renamedIn(message, names)),
    })),
    renamed,
  };
}
