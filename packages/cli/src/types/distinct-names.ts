// Members of messages that TypeScript would give one name: the generator would write it twice, and one of the two could not be had. In the
// descriptors that it is given, such a member has a name of its own; number and JSON name stay, and so does all that is sent.
import type { DescField, DescMessage, DescOneof, FileRegistry } from "@bufbuild/protobuf";
import type { DescriptorProto, FileDescriptorProto } from "@bufbuild/protobuf/wkt";

/** A member that gets another name. */
export interface RenamedMember {
  readonly message: string;
  readonly from: string;
  readonly to: string;
}

/** The files for the generator, and what has another name there. */
export interface DistinctFiles {
  readonly files: readonly FileDescriptorProto[];
  readonly renamed: readonly RenamedMember[];
}

/** What a loaded contract has put behind a name that another member has already; names in camelCase have no `_` of their own. */
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

/** The files of a loaded contract, each behind those that it imports. */
export function distinctNames({ files }: FileRegistry): DistinctFiles {
  const all = [...files];
  const names: Names = new Map();
  const renamed = all.flatMap((file) => file.messages.flatMap((message) => namesIn(message, names)));
  const protos = all.map(({ proto }) => proto);
  if (renamed.length === 0) return { files: protos, renamed };
  return {
    files: protos.map((file) => ({
      ...file,
      messageType: file.messageType.map((message) => renamedIn(message, names)),
    })),
    renamed,
  };
}
