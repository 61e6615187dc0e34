// A oneof is one GraphQL field: in answers a union of object types with one field each, in requests a one-of input.
import type { DescOneof, Message } from "@bufbuild/protobuf";
import type { Convert } from "../values/convert.ts";
import type { Shape } from "./shape.ts";

/** A oneof with its members. Each has its own object type, so that scalars and members of equal types can be distinguished. */
export interface Choice {
  readonly oneof: DescOneof;
  /** The name in GraphQL and JSON. */
  readonly name: string;
  readonly members: readonly Shape[];
}

/** A part of a message that becomes one GraphQL field. */
export type Part = Shape | Choice;

/** A set member in protobuf-es: its local name and value. */
export interface Chosen {
  readonly case: string;
  readonly value: unknown;
}

const nothing = { case: undefined } as const;

/** Reads a oneof from a message; undefined if no member is set. */
export function chosenReader({ oneof: { localName } }: Choice): (message: Message) => Chosen | undefined {
  return (message) => {
    const held = (message as unknown as Readonly<Record<string, Chosen | typeof nothing>>)[localName];
    return held?.case === undefined ? undefined : held;
  };
}

/** Encodes to a one-of input, which has exactly one non-null member. Throws an Error for a value that is null in GraphQL. */
export function choiceEncoder({ name, members }: Choice, encoderOf: (member: Shape) => Convert): Convert {
  const byCase = new Map(
    members.map((member) => [member.field.localName, { name: member.name, encode: encoderOf(member) }]),
  );
  return (held) => {
    const { case: chosen, value } = held as Chosen;
    const member = byCase.get(chosen);
    const json = member?.encode(value) ?? null;
    if (member === undefined || json === null) throw new Error(`${name}: a one-of input cannot hold null`);
    return { [member.name]: json };
  };
}

/** Decodes a one-of input or a union member: takes the present member, and ignores null for members that cannot be null. */
export function choiceDecoder({ name, members }: Choice, decoderOf: (member: Shape) => Convert): Convert {
  const conversions = members.map((member) => ({ member, decode: decoderOf(member) }));
  return (json) => {
    if (typeof json !== "object" || json === null) throw new Error(`not a member of ${name}: ${JSON.stringify(json)}`);
    let chosen: Chosen | typeof nothing = nothing;
    for (const { member, decode } of conversions) {
      const given = (json as Readonly<Record<string, unknown>>)[member.name];
      if (given === undefined || (given === null && member.isAlwaysSet)) continue;
      if (given === false && member.value.kind === "presence") continue;
      if (chosen.case !== undefined) {
        throw new Error(`${name}: only one of ${members.map((one) => one.name).join(", ")} may be given`);
      }
      chosen = { case: member.field.localName, value: decode(given) };
    }
    return chosen;
  };
}
