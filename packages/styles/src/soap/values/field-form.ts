// How values of fields appear in XML: as text, as elements, or as maps.
import { memoize } from "@roundtrip/contract";
import { create, type DescEnum, type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { isJsonStruct, isUnwrapped } from "../../shared/local-values.ts";
import { typeName } from "../schema/names.ts";
import { inText, scalarForm, type TextForm, trimmed, unreadable, unwritable } from "./scalar-forms.ts";
import { localOfStruct, structOfLocal } from "./struct-values.ts";
import { durationForm, timeForm } from "./time-forms.ts";

const enumForm = memoize((desc: DescEnum): TextForm => {
  const type = typeName(desc);
  const byName = new Map(desc.values.map(({ name, number }) => [name, number]));
  return {
    type,
    write(value) {
      const name = typeof value === "number" ? desc.value[value]?.name : undefined;
      if (name === undefined) throw unwritable(value, type);
      return name;
    },
    read(text) {
      const number = byName.get(trimmed(text));
      if (number === undefined) throw unreadable(text, type);
      return number;
    },
  };
});

// How a field's value stands in XML: as the text of its element, or as elements inside it.

export interface TextValue {
  readonly kind: "text";
  readonly form: TextForm;
}

export interface MessageValue {
  readonly kind: "message";
  readonly desc: DescMessage;
  /** The message of a value as protobuf-es has it in a field. */
  readonly toMessage: (local: unknown) => Message;
  readonly fromMessage: (message: Message) => unknown;
}

export type ValueForm = TextValue | MessageValue;

/** Messages that are simple types, not elements. */
export const simpleMessages: ReadonlyMap<string, TextForm> = new Map([
  ["google.protobuf.Timestamp", timeForm],
  ["google.protobuf.Duration", durationForm],
]);

const same = (local: unknown): Message => local as Message;

function wrapperForm(desc: DescMessage, isAlone: boolean): TextForm {
  const form = scalarForm(desc.fields[0]?.scalar ?? ScalarType.STRING);
  if (isAlone) return form;
  return {
    type: form.type,
    write: (message) => form.write((message as { readonly value?: unknown }).value),
    read: (text) => Object.assign(create(desc), { value: form.read(text) }),
  };
}

function messageForm(field: DescField, desc: DescMessage): ValueForm {
  if (isWrapperDesc(desc)) return { kind: "text", form: wrapperForm(desc, isUnwrapped(field)) };
  const simple = simpleMessages.get(desc.typeName);
  if (simple !== undefined) return { kind: "text", form: simple };
  if (isJsonStruct(field)) {
    return { kind: "message", desc, toMessage: structOfLocal, fromMessage: localOfStruct };
  }
  return { kind: "message", desc, toMessage: same, fromMessage: (message) => message };
}

/** The form of a field's value; of each of its values for a list, and of a value for a map. */
export function valueForm(field: DescField): ValueForm {
  if (field.message !== undefined) return messageForm(field, field.message);
  if (field.enum !== undefined) return { kind: "text", form: enumForm(field.enum) };
  const form = scalarForm(field.scalar ?? ScalarType.STRING);
  const isText = "longAsString" in field && field.longAsString;
  return { kind: "text", form: isText ? inText(form) : form };
}

export function keyForm(field: DescField & { readonly fieldKind: "map" }): TextForm {
  return scalarForm(field.mapKey);
}
