// Reads ProtoJSON strictly: checks the spellings that protobuf-es wrongly accepts, then reads with protobuf-es.
import { fromJson, type DescMessage, type JsonReadOptions, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Registry } from "@bufbuild/protobuf";
import { Spellings } from "./message-spelling.ts";

/** Reads a message. May change its JSON. Throws an Error for invalid JSON. */
export type MessageFromJson = (json: JsonValue) => Message;

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

/** Compiles a reader of a type's ProtoJSON. Types without checked values cost nothing extra. */
export function messageFromJson(message: DescMessage, options: Partial<JsonReadOptions>): MessageFromJson {
  const spelling = spellingsOf(options).ofMessage(message);
  if (spelling === undefined) return (json) => fromJson(message, json, options);
  return (json) => fromJson(message, json === null ? json : spelling(json, 0), options);
}
