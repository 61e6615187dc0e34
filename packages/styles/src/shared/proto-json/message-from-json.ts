// From ProtoJSON to a message, to the letter: protobuf-es reads, and what it reads too kindly is checked before.
import { fromJson, type DescMessage, type JsonReadOptions, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Registry } from "@bufbuild/protobuf";
import { Spellings } from "./message-spelling.ts";

/** Reads a message, whose JSON it may change. Throws an Error for what is none. */
export type MessageFromJson = (json: JsonValue) => Message;

/** Of one registry: with unknown fields refused, and with them ignored. */
interface KnownSpellings {
  readonly strict: Spellings;
  readonly lenient: Spellings;
}

const known = new WeakMap<Registry, KnownSpellings>();

function spellingsOf({ registry, ignoreUnknownFields = false }: Partial<JsonReadOptions>): Spellings {
  if (registry === undefined) return new Spellings(undefined, ignoreUnknownFields);
  const both = known.get(registry) ?? {
    strict: new Spellings(registry, false),
    lenient: new Spellings(registry, true),
  };
  known.set(registry, both);
  return ignoreUnknownFields ? both.lenient : both.strict;
}

/** Compiles how a message is read from its ProtoJSON. A type without a value that can be spelled wrong pays nothing. */
export function messageFromJson(message: DescMessage, options: Partial<JsonReadOptions>): MessageFromJson {
  const spelling = spellingsOf(options).ofMessage(message);
  if (spelling === undefined) return (json) => fromJson(message, json, options);
  return (json) => fromJson(message, json === null ? json : spelling(json, 0), options);
}
