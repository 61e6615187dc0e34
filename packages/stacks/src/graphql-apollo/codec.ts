// Messages to JSON as GraphQL writes it, and back: a request into variables, arguments into a request, data into a response.
// Everything that can be looked up is looked up once per message type.
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { decoderOf, encoderOf } from "./convert.ts";
import type { Model } from "./model.ts";
import { mustBeGiven } from "../must-be-given.ts";
import type { Shape } from "./shape.ts";

/** An object of JSON, by field name. */
export type JsonFields = Readonly<Record<string, unknown>>;

/** One message type's conversions. Both throw an Error on what the other side cannot hold. */
export interface Codec {
  /** Leaves out what is not set, except for fields that GraphQL insists on. */
  readonly encode: (message: Message) => Record<string, unknown>;
  /** Missing fields and nulls stay unset. */
  readonly decode: (json: JsonFields) => Message;
}

type Fields = Record<string, unknown>;

/** Reads a field from a message: undefined when a field with presence is not set. */
export function readerOf({ field, arrangement }: Shape): (message: Message) => unknown {
  const { localName, oneof } = field;
  if (oneof !== undefined) {
    const group = oneof.localName;
    return (message) => {
      const chosen = (message as unknown as Fields)[group] as { readonly case: string; readonly value: unknown };
      return chosen.case === localName ? chosen.value : undefined;
    };
  }
  const read = (message: Message): unknown => (message as unknown as Fields)[localName];
  if (arrangement !== "one" || field.presence === Presence.IMPLICIT) return read;
  // Outside proto3, defaults stand on the prototype: only an own property was set.
  return (message) => (Object.hasOwn(message, localName) ? read(message) : undefined);
}

function writerOf({ field }: Shape): (message: Message, value: unknown) => void {
  const { localName, oneof } = field;
  if (oneof === undefined) {
    return (message, value) => {
      (message as unknown as Fields)[localName] = value;
    };
  }
  const group = oneof.localName;
  return (message, value) => {
    const fields = message as unknown as Fields;
    if ((fields[group] as { readonly case: string | undefined }).case !== undefined) {
      throw new Error(`only one of ${oneof.fields.map(({ jsonName }) => jsonName).join(", ")} may be given`);
    }
    fields[group] = { case: localName, value };
  };
}

/** Zero, empty text, empty list: what a field without presence holds when nobody set it. */
function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value && !Object.is(value, -0) && !Number.isNaN(value);
}

/** Messages inside each other that all styles take: protobuf-es' own limit. */
const maxMessages = 100;

/** Messages around the one that is being decoded: nothing else is decoded meanwhile. */
let above = 0;

function compile(shapes: readonly Shape[], message: DescMessage, codecOf: (message: DescMessage) => Codec): Codec {
  const fields = shapes.map((shape) => ({
    name: shape.name,
    read: readerOf(shape),
    write: writerOf(shape),
    isEmptyMessage: shape.value.kind === "presence" && shape.arrangement === "one",
    sendsZero: mustBeGiven(shape.field) || shape.field.presence !== Presence.IMPLICIT,
    encode: encoderOf(shape, (inner) => (value) => codecOf(inner).encode(value as Message)),
    decode: decoderOf(shape, (inner) => (json) => {
      if (typeof json !== "object" || json === null) throw new Error(`not a ${inner.name}: ${JSON.stringify(json)}`);
      if ("__typename" in json) throw new Error(`${inner.name} inside ${inner.name} goes deeper than was asked for`);
      if (above === maxMessages - 1) throw new Error(`more than ${maxMessages} messages inside each other`);
      above += 1;
      try {
        return codecOf(inner).decode(json as JsonFields);
      } finally {
        above -= 1;
      }
    }),
  }));
  return {
    encode(value) {
      const json: Fields = {};
      for (const { name, read, sendsZero, encode } of fields) {
        const held = read(value);
        if (held !== undefined && (sendsZero || !isZero(held))) json[name] = encode(held);
      }
      return json;
    },
    decode(json) {
      const made = create(message);
      for (const { name, decode, write, isEmptyMessage } of fields) {
        const given = json[name];
        if (given === undefined || given === null || (given === false && isEmptyMessage)) continue;
        write(made, decode(given));
      }
      return made;
    },
  };
}

/** The codec of each message type, compiled on first use. */
export function codecsOf(model: Model): (message: DescMessage) => Codec {
  const codecs = new Map<DescMessage, Codec>();
  return function codecOf(message) {
    const codec = codecs.get(message) ?? compile(model.shapes(message), message, codecOf);
    codecs.set(message, codec);
    return codec;
  };
}
