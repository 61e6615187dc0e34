// How types of a contract travel: in the fields of requests and answers, or packed in a google.protobuf.Any, which may have any message; and extensions as fields
// of messages: callers find them by number in binary, and by their full name in brackets in JSON.
import type { Change } from "./change.ts";
import type { DescEnum, DescMessage, DescExtension, DescField, FileRegistry } from "@bufbuild/protobuf";
import { type Contract, extensionsIn, memoize } from "@roundtrip/contract";

interface ReachedTypes {
  /** Full names of the messages and enums in fields of requests and answers, at any depth. */
  readonly direct: ReadonlySet<string>;
  /** The messages in no such field, if there is an Any. */
  readonly onlyInAny: ReadonlyMap<string, DescMessage>;
  /** The enums of those messages. They may be in fields of requests and answers, too. */
  readonly enumsInAny: ReadonlySet<string>;
}

function directTypes({ operations, registry }: Contract): ReadonlySet<string> {
  const messages = new Set(operations.flatMap(({ input, output }) => [input, output]));
  const enums = new Set<string>();
  // The loop also visits types that it adds.
  for (const message of messages) {
    for (const field of membersOf(message, registry)) {
      if (field.enum !== undefined) enums.add(field.enum.typeName);
      if (field.message !== undefined) messages.add(field.message);
    }
  }
  return new Set([...[...messages].map(({ typeName }) => typeName), ...enums]);
}

export const reachedTypes = memoize((contract: Contract): ReachedTypes => {
  const direct = directTypes(contract);
  const messages = direct.has("google.protobuf.Any") ? [...contract.registry] : [];
  const onlyInAny = messages.flatMap((message): readonly (readonly [string, DescMessage])[] => {
    const isOwn = message.kind === "message" && !/^(?:google|buf)\./.test(message.typeName);
    return isOwn && !direct.has(message.typeName) ? [[message.typeName, message]] : [];
  });
  const enums = onlyInAny.flatMap(([, { fields }]) => fields.flatMap((field) => field.enum?.typeName ?? []));
  return { direct, onlyInAny: new Map(onlyInAny), enumsInAny: new Set(enums) };
});

function ownersOf(change: Change): readonly (DescMessage | DescEnum)[] {
  switch (change.kind) {
    case "field-added":
    case "field-removed":
      return [change.field.parent];
    case "enum-value-added":
    case "enum-value-removed":
      return [change.value.parent];
    case "type-added":
    case "type-removed":
      return [change.type];
    case "type-moved":
    case "message-rules-changed":
    case "enum-closed":
    case "enum-opened":
      return [change.before, change.after];
    default:
      if (!("locations" in change)) return [];
      return [change.before.parent, change.after.parent];
  }
}

/** Whether what changed travels in fields of requests and answers, and whether it travels packed in an Any. */
export function travels(
  change: Change,
  contracts: { readonly before: Contract; readonly after: Contract },
): { readonly isDirect: boolean; readonly isInAny: boolean } {
  const reached = [reachedTypes(contracts.before), reachedTypes(contracts.after)];
  const names = ownersOf(change).map(({ typeName }) => typeName);
  const isInAny = names.some((name) =>
    reached.some((types) => types.onlyInAny.has(name) || types.enumsInAny.has(name)),
  );
  return { isDirect: !isInAny || names.some((name) => reached.some(({ direct }) => direct.has(name))), isInAny };
}

/** As a field of the message that it extends. */
function asField(extension: DescExtension): DescField {
  const { extendee, typeName } = extension;
  return { ...extension, kind: "field", parent: extendee, name: `[${typeName}]` } as unknown as DescField;
}

export function isExtension({ name }: DescField): boolean {
  return name.startsWith("[");
}

export function isOfExtension(change: Change): boolean {
  if (change.kind === "field-added" || change.kind === "field-removed") return isExtension(change.field);
  return change.kind.startsWith("field-") && "before" in change && isExtension(change.before as DescField);
}

/** The fields of a message, then the extensions of it that a contract declares. */
export function membersOf(message: DescMessage, registry: FileRegistry): readonly DescField[] {
  if (message.proto.extensionRange.length === 0) return message.fields;
  const extensions = extensionsIn(registry).get(message.typeName) ?? [];
  return [...message.fields, ...extensions.map(asField).toSorted((a, b) => a.number - b.number)];
}
