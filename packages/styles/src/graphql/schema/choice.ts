// A oneof of the contract is one field in GraphQL, which holds one member or nothing: in answers a union of object types with one field
// each, in requests a one-of input.
import type { DescOneof, Message } from "@bufbuild/protobuf";
import type { Convert } from "../values/convert.ts";
import type { Shape } from "./shape.ts";

/** A oneof with its members; each has an object type of its own, so that scalars and two members of one type can be distinguished. */
export interface Choice {
  readonly oneof: DescOneof;
  /** In GraphQL and in JSON. */
  readonly name: string;
  readonly members: readonly Shape[];
}

/** What a message's types in GraphQL have a field for. */
export type Part = Shape | Choice;

/** A member as protobuf-es holds it: by its name there, with its value. */
export interface Chosen {
  readonly case: string;
  readonly value: unknown;
}

/** What a oneof holds that has no member. */
const nothing = { case: undefined } as const;

/** Reads a oneof from a message: undefined when no member is set. */
export function chosenReader({ oneof: { localName } }: Choice): (message: Message) => Chosen | undefined {
  return (message) => {
    const held = (message as unknown as Readonly<Record<string, Chosen | typeof nothing>>)[localName];
    return held?.case === undefined ? undefined : held;
  };
}

/** To a one-of input, which has exactly one member that is not null. Throws an Error on what is null in GraphQL. */
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

/** From a one-of input, or from a member of a union: the member that is there, of which null says nothing where it cannot be null. */
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
