// Whether messages of a type can contain some type of value, at any depth. Computed once per type.
import type { DescField, DescMessage, ScalarType } from "@bufbuild/protobuf";

/** The subject of a JSON text: a whole message, or one field of it. */
export type JsonSubject = DescMessage | DescField;

/** An Any can contain any message, and so any value. */
export const anyMessage: ReadonlySet<string> = new Set(["google.protobuf.Any"]);

/** Whether the subject can contain one of these messages, by name, or scalars, by type. */
export function canContain(
  subject: JsonSubject,
  names: ReadonlySet<string>,
  scalars: ReadonlySet<ScalarType>,
): boolean {
  const seen = new Set<DescMessage>();
  const looksInto = (message: DescMessage): boolean => {
    if (names.has(message.typeName)) return true;
    if (seen.has(message)) return false;
    seen.add(message);
    return message.fields.some(fits);
  };
  const fits = ({ scalar, message }: DescField): boolean =>
    message === undefined ? scalar !== undefined && scalars.has(scalar) : looksInto(message);
  return subject.kind === "message" ? looksInto(subject) : fits(subject);
}
