// A sample of a message as XML, with a value of its type in every element, for people to begin with.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { keyForm, valueForm } from "../values/field-form.ts";
import { fieldsOf, particlesOf } from "./field-order.ts";

/** Samples by the name of the type in XML Schema; numbers have 0. */
const samples: Readonly<Record<string, string>> = {
  string: "?",
  boolean: "false",
  base64Binary: "AAEC",
  dateTime: "2026-01-31T12:00:00Z",
  duration: "PT1.5S",
};

const indent = "  ";

function sampleText(field: DescField): string | undefined {
  if (field.enum !== undefined) return field.enum.values[0]?.name ?? "";
  const form = valueForm(field);
  return form.kind === "text" ? (samples[form.form.type] ?? "0") : undefined;
}

/** The element of a field, with everything in it. @param around types that it is in; a type in itself is left empty */
function elementLines(field: DescField, name: string, around: readonly DescMessage[]): readonly string[] {
  const text = sampleText(field);
  if (text !== undefined) return [`<${name}>${text}</${name}>`];
  const { message } = field;
  const lines = message === undefined || around.includes(message) ? [] : messageLines(message, around);
  if (lines.length === 0) return [`<${name}/>`];
  return [`<${name}>`, ...lines.map((line) => indent + line), `</${name}>`];
}

function fieldLines(field: DescField, around: readonly DescMessage[]): readonly string[] {
  if (field.fieldKind !== "map") return elementLines(field, field.name, around);
  const key = `<key>${samples[keyForm(field).type] ?? "0"}</key>`;
  const entry = [key, ...elementLines(field, "value", around)].map((line) => indent + line);
  return [`<${field.name}>`, ...entry, `</${field.name}>`];
}

function messageLines(message: DescMessage, around: readonly DescMessage[]): readonly string[] {
  const within = [...around, message];
  return particlesOf(message).flatMap((particle) => {
    // The first member of a choice.
    const [field] = fieldsOf(particle);
    return field === undefined ? [] : fieldLines(field, within);
  });
}

export function sampleLines(message: DescMessage): readonly string[] {
  return messageLines(message, []);
}
