// Values of a field to JSON as GraphQL writes it, and back. What happens to messages inside is the caller's choice: a resolver passes
// them on as they are, a codec goes through them.
import { create, type DescMessage } from "@bufbuild/protobuf";
import { enumNames } from "./enum-names.ts";
import { maskNames } from "./field-enum.ts";
import { asItIs } from "./leaf.ts";
import { spellsUnspecified, type Shape } from "../schema/shape.ts";

export type Convert = (value: unknown) => unknown;

/** How the messages of a type are converted. */
export type ConvertMessage = (message: DescMessage) => Convert;

/** A resolver passes messages on as they are: their fields have resolvers of their own. */
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

// protobuf-es keys a map by text, whatever the contract says.
function keyEncoder(type: string): (key: string) => unknown {
  if (type === "Int" || type === "UInt32") return Number;
  return type === "Boolean" ? (key) => key === "true" : (key) => key;
}

/** From what a message holds to JSON; {@link asItIs} when both are the same. Throws an Error on what GraphQL cannot hold. */
export function encoderOf(shape: Shape, ofMessage: ConvertMessage): Convert {
  const { arrangement, key } = shape;
  const encode = valueEncoder(shape, ofMessage);
  if (arrangement === "one" || (arrangement === "list" && encode === asItIs)) return encode;
  if (arrangement === "list") return (list) => (list as readonly unknown[]).map((item) => encode(item));
  const encodeKey = keyEncoder(key?.type ?? "String");
  return (map) =>
    Object.entries(map as Fields).map(([name, item]) => ({ key: encodeKey(name), value: encode(item) ?? null }));
}

/** From JSON to what a message holds. Throws an Error on what is no value of the field. */
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
      // Own even when it is called __proto__.
      const property = { value: decode(entry["value"]), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(map, String(key?.decode(entry["key"])), property);
    }
    return map;
  };
}
