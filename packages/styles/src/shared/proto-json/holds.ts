// What a message may hold, in any depth: known before there is one, so that messages that do not hold it pay nothing.
import type { DescField, DescMessage, ScalarType } from "@bufbuild/protobuf";

/** What of a message matters: the message itself, or the one field of it that is the whole text. */
export type JsonSubject = DescMessage | DescField;

/** Holds any message, and so anything. */
export const anyMessage: ReadonlySet<string> = new Set(["google.protobuf.Any"]);

/** Whether a field, or a message in any depth, fits: messages by their names, scalars by their types. */
export function holds(subject: JsonSubject, names: ReadonlySet<string>, scalars: ReadonlySet<ScalarType>): boolean {
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
