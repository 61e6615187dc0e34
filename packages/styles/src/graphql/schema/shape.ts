// The GraphQL form of a contract field: its name, its cardinality, and its value type.
import { create, ScalarType, type DescEnum, type DescField, type DescMessage, type Registry } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, FieldMaskSchema, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { enumNames } from "../values/enums.ts";
import { fieldName } from "./field-name.ts";
import { messageLeaf, scalarLeaf, type Leaf } from "../values/leaf.ts";

/** The type of one value. A message without fields is `true`. `fields` is a mask over a flat message: a list of an enum of its fields. */
export type ValueType =
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | { readonly kind: "enum"; readonly enum: DescEnum }
  | { readonly kind: "presence"; readonly message: DescMessage }
  | { readonly kind: "fields"; readonly message: DescMessage }
  | { readonly kind: "message"; readonly message: DescMessage };

export interface Shape {
  readonly field: DescField;
  /** The name in GraphQL and JSON. */
  readonly name: string;
  /** Maps are lists of entries with a key and a value. */
  readonly arrangement: "one" | "list" | "map";
  readonly value: ValueType;
  /** A map's key; undefined otherwise. */
  readonly key: Leaf | undefined;
  /** GraphQL's non-null: responses always have a value. For a oneof member: if set, it has a value. */
  readonly isAlwaysSet: boolean;
  /** False for a list that may contain null. */
  readonly areElementsNonNull: boolean;
}

// Outside singular fields, protobuf-es keeps wrappers as messages.
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

function messageValueType(message: DescMessage, isOne: boolean, isUnwrapped: boolean, registry: Registry): ValueType {
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
      fieldKind === "message" && messageValueType(message, true, true, registry).kind === "message" ? [message] : [],
    );
  const [changed, ...more] = messagesIn(parent);
  return changed !== undefined && more.length === 0 && messagesIn(changed).length === 0 ? changed : undefined;
}

/** Whether a field is the token of the next page (AIP-158), which is empty on the last page, and null in GraphQL. */
function isNextPageToken({ name, fieldKind, scalar, presence, parent }: DescField): boolean {
  return (
    name === "next_page_token" &&
    fieldKind === "scalar" &&
    scalar === ScalarType.STRING &&
    presence === Presence.IMPLICIT &&
    parent.fields.some((field) => field.fieldKind === "list")
  );
}

/** Whether null means that an enum is absent, so that its "unspecified" value needs a name. */
export function spellsUnspecified({ fieldKind, presence }: DescField): boolean {
  return fieldKind === "enum" && presence === Presence.EXPLICIT;
}

function valueOf(field: DescField, registry: Registry): ValueType {
  const isOne = field.fieldKind !== "list" && field.fieldKind !== "map";
  if (field.enum !== undefined) return { kind: "enum", enum: field.enum };
  if (field.message !== undefined) {
    const changed = field.message.typeName === FieldMaskSchema.typeName ? maskedMessage(field, registry) : undefined;
    if (isOne && changed !== undefined) return { kind: "fields", message: changed };
    return messageValueType(field.message, isOne, isOne && field.oneof === undefined, registry);
  }
  const isText = field.fieldKind !== "map" && field.longAsString;
  const leaf = scalarLeaf(field.scalar ?? ScalarType.STRING, isText);
  return {
    kind: "leaf",
    leaf: isNextPageToken(field) ? { ...leaf, encode: (text) => (text === "" ? null : text) } : leaf,
  };
}

/** Whether a oneof member may be null: only a Value can, which JSON can write as null. */
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
