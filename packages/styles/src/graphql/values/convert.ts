// Converts values of fields and members of oneofs between messages and GraphQL.
import { create, type DescMessage, type DescOneof, type Message } from "@bufbuild/protobuf";
import { type Shape, spellsUnspecified } from "../schema/shape.ts";
import { enumNames, maskNames } from "./enums.ts";
import { asItIs } from "./leaf.ts";

// Converts field values to GraphQL's JSON and back. The caller decides about nested messages: resolvers pass them on, codecs convert them.

export type Convert = (value: unknown) => unknown;

export type ConvertMessage = (message: DescMessage) => Convert;

/** Passes messages on unchanged: resolvers convert their fields. */
export const passOn: ConvertMessage = () => asItIs;

type Fields = Record<string, unknown>;

function valueEncoder({ field, value }: Shape, ofMessage: ConvertMessage): Convert {
  switch (value.kind) {
    case "leaf":
      return value.leaf.encode;
    case "presence":
      return () => true;
    case "enum": {
      const { nameOf, hasUnspecified, unspecified } = enumNames(value.enum);
      const zero = spellsUnspecified(field) ? unspecified : null;
      return (number) => {
        const name = nameOf.get(number as number);
        if (name !== undefined) return name;
        if (number === 0 && hasUnspecified) return zero;
        throw new Error(`${value.enum.name} has no value ${String(number)}`);
      };
    }
    case "fields":
      return maskNames(field, value.message).encode as Convert;
    case "message":
      return ofMessage(value.message);
  }
}

function valueDecoder({ field, value }: Shape, ofMessage: ConvertMessage): Convert {
  switch (value.kind) {
    case "leaf":
      return value.leaf.decode;
    case "presence":
      return (json) => {
        if (json !== true) throw new Error(`${field.name}: a message without fields is true or nothing`);
        return create(value.message);
      };
    case "enum": {
      const { numberOf, unspecified } = enumNames(value.enum);
      return (name) => {
        const number = name === null || name === unspecified ? 0 : numberOf.get(name as string);
        if (number === undefined) throw new Error(`${value.enum.name} has no value ${JSON.stringify(name)}`);
        return number;
      };
    }
    case "fields":
      return maskNames(field, value.message).decode;
    case "message":
      return ofMessage(value.message);
  }
}

// protobuf-es keys of maps are text for every key type.
function keyEncoder(type: string): (key: string) => unknown {
  if (type === "Int" || type === "UInt32") return Number;
  return type === "Boolean" ? (key) => key === "true" : (key) => key;
}

/** Converts a message's value to JSON; {@link asItIs} if both are equal. Throws an Error for a value that GraphQL cannot represent. */
export function encoderOf(shape: Shape, ofMessage: ConvertMessage): Convert {
  const { arrangement, key } = shape;
  const encode = valueEncoder(shape, ofMessage);
  if (arrangement === "one" || (arrangement === "list" && encode === asItIs)) return encode;
  if (arrangement === "list") return (list) => (list as readonly unknown[]).map((item) => encode(item));
  const encodeKey = keyEncoder(key?.type ?? "String");
  return (map) =>
    Object.entries(map as Fields).map(([name, item]) => ({ key: encodeKey(name), value: encode(item) ?? null }));
}

/** Converts JSON to a message's value. Throws an Error for a value that the field does not allow. */
export function decoderOf(shape: Shape, ofMessage: ConvertMessage): Convert {
  const { arrangement, key, name } = shape;
  const decode = valueDecoder(shape, ofMessage);
  if (arrangement === "one") return decode;
  const items = (json: unknown): readonly unknown[] => {
    if (!Array.isArray(json)) throw new Error(`${name} is not a list: ${JSON.stringify(json)}`);
    return json;
  };
  if (arrangement === "list") return (json) => items(json).map((item) => decode(item));
  return (json) => {
    const map: Fields = {};
    for (const entry of items(json) as readonly Fields[]) {
      // An own property, even if its name is __proto__.
      const property = { value: decode(entry["value"]), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(map, String(key?.decode(entry["key"])), property);
    }
    return map;
  };
}

// A oneof is one GraphQL field: in answers a union of object types with one field each, in requests a one-of input.

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
    const oneofValue = (message as unknown as Readonly<Record<string, Chosen | typeof nothing>>)[localName];
    return oneofValue?.case === undefined ? undefined : oneofValue;
  };
}

/** Encodes to a one-of input, which has exactly one non-null member. Throws an Error for a value that is null in GraphQL. */
export function choiceEncoder({ name, members }: Choice, encoderOfMember: (member: Shape) => Convert): Convert {
  const byCase = new Map(
    members.map((member) => [member.field.localName, { name: member.name, encode: encoderOfMember(member) }]),
  );
  return (choice) => {
    const { case: chosen, value } = choice as Chosen;
    const member = byCase.get(chosen);
    const json = member?.encode(value) ?? null;
    if (member === undefined || json === null) throw new Error(`${name}: a one-of input cannot be null`);
    return { [member.name]: json };
  };
}

/** Decodes a one-of input or a union member: takes the present member, and ignores null for members that cannot be null. */
export function choiceDecoder({ name, members }: Choice, decoderOfMember: (member: Shape) => Convert): Convert {
  const conversions = members.map((member) => ({ member, decode: decoderOfMember(member) }));
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
