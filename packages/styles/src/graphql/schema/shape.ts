// What a field of the contract is in GraphQL: its name, whether there is one value or many, and what carries a value.
import { create, ScalarType, type DescEnum, type DescField, type DescMessage, type Registry } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, FieldMaskSchema, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { enumNames } from "../values/enum-names.ts";
import { fieldName } from "./field-name.ts";
import { messageLeaf, scalarLeaf, type Leaf } from "../values/leaf.ts";

/**
 * What carries one value. A message without fields says only that it is there: `true`. `fields` is a mask over a flat message: a
 * list of an enum of its fields.
 */
export type Carrier =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "enum"; readonly enum: DescEnum }
  | { readonly kind: "presence"; readonly message: DescMessage }
  | { readonly kind: "fields"; readonly message: DescMessage }
  | { readonly kind: "message"; readonly message: DescMessage };

export interface Shape {
  readonly field: DescField;
  /** In GraphQL and in JSON. */
  readonly name: string;
  /** Maps travel as lists of entries with a key and a value. */
  readonly arrangement: "one" | "list" | "map";
  readonly value: Carrier;
  /** A map's key; undefined for everything else. */
  readonly key: Leaf | undefined;
  /** A response always has it, or for a member of a oneof: the member always has a value. GraphQL's non-null. */
  readonly isAlwaysSet: boolean;
  /** False where a list can hold what GraphQL knows as null only. */
  readonly areElementsNonNull: boolean;
}

// Outside singular fields protobuf-es keeps wrappers as the messages they are.
function wrapperElement(message: DescMessage): Leaf | undefined {
  const [value] = message.fields;
  if (!isWrapperDesc(message) || value?.fieldKind !== "scalar") return undefined;
  const inner = scalarLeaf(value.scalar, false);
  return {
    ...inner,
    encode: (wrapped) => inner.encode((wrapped as { readonly value: unknown }).value),
    decode: (json) => create(message, { value: inner.decode(json) }),
  };
}

function messageCarrier(message: DescMessage, isOne: boolean, isUnwrapped: boolean, registry: Registry): Carrier {
  const [first] = message.fields;
  if (isUnwrapped && isWrapperDesc(message) && first?.fieldKind === "scalar") {
    return { kind: "leaf", leaf: scalarLeaf(first.scalar, false) };
  }
  const leaf = wrapperElement(message) ?? messageLeaf(message, isOne, registry);
  if (leaf !== undefined) return { kind: "leaf", leaf };
  return { kind: first === undefined ? "presence" : "message", message };
}

/** The only message beside a request's `update_mask` (AIP-134), if a mask cannot go deeper than its fields. */
function maskedMessage({ name, parent }: DescField, registry: Registry): DescMessage | undefined {
  if (name !== "update_mask") return undefined;
  const messagesIn = ({ fields }: DescMessage): readonly DescMessage[] =>
    fields.flatMap(({ fieldKind, message }) =>
      fieldKind === "message" && messageCarrier(message, true, true, registry).kind === "message" ? [message] : [],
    );
  const [changed, ...more] = messagesIn(parent);
  return changed !== undefined && more.length === 0 && messagesIn(changed).length === 0 ? changed : undefined;
}

/** The token of the page that follows (AIP-158): on the last page it is empty, for which GraphQL has null. */
function isNextPageToken({ name, fieldKind, scalar, presence, parent }: DescField): boolean {
  return (
    name === "next_page_token" &&
    fieldKind === "scalar" &&
    scalar === ScalarType.STRING &&
    presence === Presence.IMPLICIT &&
    parent.fields.some((field) => field.fieldKind === "list")
  );
}

/** An enum whose null says that it is absent: the value that only says "unspecified" has a name there. */
export function spellsUnspecified({ fieldKind, presence }: DescField): boolean {
  return fieldKind === "enum" && presence === Presence.EXPLICIT;
}

function valueOf(field: DescField, registry: Registry): Carrier {
  const isOne = field.fieldKind !== "list" && field.fieldKind !== "map";
  if (field.enum !== undefined) return { kind: "enum", enum: field.enum };
  if (field.message !== undefined) {
    const changed = field.message.typeName === FieldMaskSchema.typeName ? maskedMessage(field, registry) : undefined;
    if (isOne && changed !== undefined) return { kind: "fields", message: changed };
    return messageCarrier(field.message, isOne, isOne && field.oneof === undefined, registry);
  }
  const isText = field.fieldKind !== "map" && field.longAsString;
  const leaf = scalarLeaf(field.scalar ?? ScalarType.STRING, isText);
  return {
    kind: "leaf",
    leaf: isNextPageToken(field) ? { ...leaf, encode: (text) => (text === "" ? null : text) } : leaf,
  };
}

/** The one message that JSON can write as null: what is chosen in a oneof has a value otherwise. */
function canBeChosenAsNull({ message }: DescField): boolean {
  return message?.typeName === "google.protobuf.Value";
}

/** The shape of a field. `registry` resolves `google.protobuf.Any`. */
export function shapeOf(field: DescField, registry: Registry): Shape {
  const arrangement = field.fieldKind === "list" || field.fieldKind === "map" ? field.fieldKind : "one";
  const value = valueOf(field, registry);
  const canBeNull =
    isNextPageToken(field) ||
    (value.kind === "enum" && enumNames(value.enum).hasUnspecified) ||
    (value.kind === "leaf" && value.leaf.type === "JSON");
  return {
    field,
    name: fieldName(field),
    arrangement,
    value,
    key: field.fieldKind === "map" ? scalarLeaf(field.mapKey, false) : undefined,
    isAlwaysSet:
      field.oneof === undefined
        ? arrangement !== "one" || (field.presence !== Presence.EXPLICIT && !canBeNull)
        : !canBeChosenAsNull(field),
    areElementsNonNull: !canBeNull,
  };
}
