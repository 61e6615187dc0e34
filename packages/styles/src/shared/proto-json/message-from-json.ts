// Reads ProtoJSON strictly: plain JSON at once; other JSON with protobuf-es, after a check of the spellings that it wrongly accepts.
import { fromJson, type DescMessage, type JsonReadOptions, type JsonValue, type Message } from "@bufbuild/protobuf";
import type { Registry } from "@bufbuild/protobuf";
import { Spellings } from "./message-spelling.ts";
import { plainFromJson } from "./plain-from-json.ts";

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

/** Compiles a reader with protobuf-es, after checks of spelling for types that need them. */
export function strictFromJson(message: DescMessage, options: Partial<JsonReadOptions>): MessageFromJson {
  const spelling = spellingsOf(options).ofMessage(message);
  if (spelling === undefined) return (json) => fromJson(message, json, options);
  return (json) => fromJson(message, json === null ? json : spelling(json, 0), options);
}

/** Compiles a reader of a type's ProtoJSON. */
export function messageFromJson(message: DescMessage, options: Partial<JsonReadOptions>): MessageFromJson {
  const strict = strictFromJson(message, options);
  const plain = plainFromJson(message);
  return plain === undefined ? strict : (json) => plain(json) ?? strict(json);
}
