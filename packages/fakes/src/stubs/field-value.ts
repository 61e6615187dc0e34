// Reads one field of messages, members of oneofs too.
import type { DescField, Message } from "@bufbuild/protobuf";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a field's value; undefined for an unset field with presence, and for other members of a oneof. */
export function valueOf(field: DescField): (message: Message) => unknown {
  const { localName, oneof } = field;
  if (oneof === undefined) return (message) => (message as unknown as Fields)[localName];
  return (message) => {
    const chosen = (message as unknown as Fields)[oneof.localName] as {
      readonly case?: string;
      readonly value?: unknown;
    };
    return chosen.case === localName ? chosen.value : undefined;
  };
}
