// Converts messages to GraphQL's JSON and back, for requests, arguments, variables and responses. Compiled once per message type.
import { memoize } from "@roundtrip/contract";
import { create, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence } from "@bufbuild/protobuf/wkt";
import { wholeRequires } from "@roundtrip/contract/field-rules";
import {
  choiceDecoder,
  choiceEncoder,
  chosenReader,
  type Choice,
  decoderOf,
  encoderOf,
  type Convert,
  type ConvertMessage,
} from "./convert.ts";
import type { Model } from "../schema/model.ts";
import type { Shape } from "../schema/shape.ts";

export type JsonFields = Readonly<Record<string, unknown>>;

/** The conversions of one message type. Both throw an Error for values that the other side cannot represent. */
export interface Codec {
  /** Omits unset fields, except those that GraphQL requires. */
  readonly encode: (message: Message) => Record<string, unknown>;
  /** Missing and null fields stay unset. */
  readonly decode: (json: JsonFields) => Message;
}

type Fields = Record<string, unknown>;

/** Reads a field outside oneofs; undefined if a field with presence is not set. */
export function readerOf({ field, arrangement }: Shape): (message: Message) => unknown {
  const { localName } = field;
  const read = (message: Message): unknown => (message as unknown as Fields)[localName];
  if (arrangement !== "one" || field.presence === Presence.IMPLICIT) return read;
  // Outside proto3, defaults are on the prototype: only own properties are set.
  return (message) => (Object.hasOwn(message, localName) ? read(message) : undefined);
}

/** Whether a value is the default of a field without presence: zero, empty text, empty list. */
function isZero(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return !value && !Object.is(value, -0) && !Number.isNaN(value);
}

/** Maximum nesting of messages on all styles: protobuf-es's own limit. */
const maxMessages = 100;

/** Depth of the current message. Decoding is synchronous, so one counter is enough. */
let above = 0;

interface Conversion {
  readonly name: string;
  /** The property in protobuf-es. */
  readonly localName: string;
  readonly read: (message: Message) => unknown;
  readonly isEmptyMessage: boolean;
  readonly sendsZero: boolean;
  readonly encode: Convert;
  readonly decode: Convert;
}

type CodecOf = (message: DescMessage) => Codec;

function messageEncoder(codecOf: CodecOf): ConvertMessage {
  return (inner) => (value) => codecOf(inner).encode(value as Message);
}

function messageDecoder(codecOf: CodecOf): ConvertMessage {
  return (inner) => (json) => {
    if (typeof json !== "object" || json === null) throw new Error(`not a ${inner.name}: ${JSON.stringify(json)}`);
    if ("__typename" in json) throw new Error(`${inner.name} inside ${inner.name} goes deeper than was asked for`);
    if (above === maxMessages - 1) throw new Error(`more than ${maxMessages} messages inside each other`);
    above += 1;
    try {
      return codecOf(inner).decode(json as JsonFields);
    } finally {
      above -= 1;
    }
  };
}

function fieldConversion(shape: Shape, codecOf: CodecOf): Conversion {
  const { name, field, value, arrangement } = shape;
  return {
    name,
    localName: field.localName,
    read: readerOf(shape),
    isEmptyMessage: value.kind === "presence" && arrangement === "one",
    sendsZero: wholeRequires(field) || field.presence !== Presence.IMPLICIT,
    encode: encoderOf(shape, messageEncoder(codecOf)),
    decode: decoderOf(shape, messageDecoder(codecOf)),
  };
}

function choiceConversion(choice: Choice, codecOf: CodecOf): Conversion {
  return {
    name: choice.name,
    localName: choice.oneof.localName,
    read: chosenReader(choice),
    isEmptyMessage: false,
    sendsZero: true,
    encode: choiceEncoder(choice, (member) => encoderOf(member, messageEncoder(codecOf))),
    decode: choiceDecoder(choice, (member) => decoderOf(member, messageDecoder(codecOf))),
  };
}

function compile(parts: ReturnType<Model["parts"]>, message: DescMessage, codecOf: CodecOf): Codec {
  const fields = parts.map((part) =>
    "members" in part ? choiceConversion(part, codecOf) : fieldConversion(part, codecOf),
  );
  return {
    encode(value) {
      const json: Fields = {};
      for (const { name, read, sendsZero, encode } of fields) {
        const fieldValue = read(value);
        if (fieldValue !== undefined && (sendsZero || !isZero(fieldValue))) json[name] = encode(fieldValue);
      }
      return json;
    },
    decode(json) {
      const made = create(message);
      for (const { name, localName, decode, isEmptyMessage } of fields) {
        const jsonValue = json[name];
        if (jsonValue === undefined || jsonValue === null || (jsonValue === false && isEmptyMessage)) continue;
        (made as unknown as Fields)[localName] = decode(jsonValue);
      }
      return made;
    },
  };
}

/** The codecs of message types, compiled on first use; servers and clients of one model share them. */
export const codecsOf = memoize((model: Model): CodecOf => {
  const codecs = new Map<DescMessage, Codec>();
  return function codecOf(message) {
    const codec = codecs.get(message) ?? compile(model.parts(message), message, codecOf);
    codecs.set(message, codec);
    return codec;
  };
});
