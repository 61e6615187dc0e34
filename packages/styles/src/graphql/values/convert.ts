// Converts field values to GraphQL's JSON and back. The caller decides about nested messages: resolvers pass them on, codecs convert them.
import { create, type DescMessage } from "@bufbuild/protobuf";
import { enumNames } from "./enum-names.ts";
import { maskNames } from "./field-enum.ts";
import { asItIs } from "./leaf.ts";
import { spellsUnspecified, type Shape } from "../schema/shape.ts";

export type Convert = (value: unknown) => unknown;

/** Returns the conversion of a message type. */
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
