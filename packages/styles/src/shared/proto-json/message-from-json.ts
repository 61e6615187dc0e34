// Reads messages from ProtoJSON: plain types by a compiled reader, all others by protobuf-es.
import {
  create,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonReadOptions,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { FieldMaskSchema, hasCustomJsonRepresentation } from "@bufbuild/protobuf/wkt";
import { isObject } from "@roundtrip/contract";
import { Spellings } from "./message-spelling.ts";
import { bytesOfText, durationText, isTimeText, kindOf, type ScalarKind } from "./scalars.ts";

// Reads plain ProtoJSON at a fraction of protobuf-es's time: every field by its JSON name, every value in its usual spelling.

/** Returns undefined for JSON that is not plain: it may be invalid, or valid in a rarer spelling. Never changes it. */
type ReadPlain<T = unknown> = (json: unknown, depth: number) => T | undefined;

/** A message of protobuf-es. */
type Members = Record<string, unknown>;

/** Sets a field. Returns false for JSON that is not plain. */
type PutPlain = (message: Members, json: unknown, depth: number) => boolean;

/** Below protobuf-es's own limit. */
const maxPlainDepth = 50;

/** Always within 64 bits, with or without a sign. */
const shortInteger = /^(?:0|-?[1-9]\d{0,17})$/;

function large(json: unknown): bigint | undefined {
  const isPlain = typeof json === "string" ? shortInteger.test(json) : Number.isSafeInteger(json);
  return isPlain ? BigInt(json as string | number) : undefined;
}

const ofScalar: Readonly<Record<ScalarKind, ReadPlain>> = {
  bool: (json) => (typeof json === "boolean" ? json : undefined),
  string: (json) => (typeof json === "string" && json.isWellFormed() ? json : undefined),
  bytes: (json) => (typeof json === "string" ? bytesOfText(json) : undefined),
  double: (json) => (Number.isFinite(json) ? json : undefined),
  float: (json) => {
    const nearest = typeof json === "number" ? Math.fround(json) : Infinity;
    return Number.isFinite(nearest) ? nearest : undefined;
  },
  // −0 equals 0, and is read as 0.
  int32: (json) => (typeof json === "number" && (json | 0) === json ? json | 0 : undefined),
  uint32: (json) => (typeof json === "number" && json >>> 0 === json ? json >>> 0 : undefined),
  int64: large,
  uint64: (json) => {
    const value = large(json);
    return value !== undefined && value >= 0n ? value : undefined;
  },
};

const comma = 0x2c;

/** One pass over the text takes half the time of `split` and `protoSnakeCase`. */
function ofMask(json: unknown): Message | undefined {
  if (typeof json !== "string" || json === "") return undefined;
  const paths: string[] = [];
  let path = "";
  let from = 0;
  for (let at = 0; at <= json.length; at += 1) {
    const code = at === json.length ? comma : json.charCodeAt(at);
    if (code === comma) {
      paths.push(path + json.slice(from, at));
      path = "";
      from = at + 1;
    } else if (code >= 0x41 && code <= 0x5a) {
      path += `${json.slice(from, at)}_${String.fromCharCode(code + 0x20)}`;
      from = at + 1;
    } else if (code === 0x5f || code > 0x7f) return undefined;
  }
  return create(FieldMaskSchema, { paths });
}

/** Reads text with protobuf-es that has been checked. */
function ofText(type: DescMessage, isValid: (text: string) => boolean): ReadPlain<Message> {
  return (json) => {
    if (typeof json !== "string" || !isValid(json)) return undefined;
    try {
      return fromJson(type, json);
    } catch {
      return undefined;
    }
  };
}

function compiledSpecial(type: DescMessage): ReadPlain<Message> | undefined {
  if (type.typeName === "google.protobuf.FieldMask") return ofMask;
  if (type.typeName === "google.protobuf.Timestamp") return ofText(type, isTimeText);
  return type.typeName === "google.protobuf.Duration" ? ofText(type, (text) => durationText(text) === text) : undefined;
}

function ofEnum({ values }: NonNullable<DescField["enum"]>): ReadPlain {
  const numbers = new Map<unknown, number>();
  for (const { jsonName, number } of values) numbers.set(jsonName, number);
  // If names are equal, that of the contract wins, as in protobuf-es.
  for (const { name, number } of values) numbers.set(name, number);
  return (json) => numbers.get(json);
}

/** A value, or an item of a list or map. Undefined for fields that are never plain. */
function ofValue(field: DescField): ReadPlain | undefined {
  if (field.scalar !== undefined) {
    const kind = kindOf(field.scalar);
    const isText = "longAsString" in field && field.longAsString;
    return isText ? undefined : ofScalar[kind];
  }
  return field.enum === undefined ? ofMessage(field.message) : ofEnum(field.enum);
}

function putItems(localName: string, read: ReadPlain): PutPlain {
  return (message, json, depth) => {
    if (!Array.isArray(json)) return false;
    const items = message[localName] as unknown[];
    for (const item of json) {
      const value = read(item, depth);
      if (value === undefined) return false;
      items.push(value);
    }
    return true;
  };
}

function putEntries(localName: string, read: ReadPlain): PutPlain {
  return (message, json, depth) => {
    if (!isObject(json)) return false;
    const map = message[localName] as Members;
    for (const key of Object.keys(json)) {
      const value = read(json[key], depth);
      if (value === undefined || key === "__proto__" || !key.isWellFormed()) return false;
      map[key] = value;
    }
    return true;
  };
}

function compiledField(field: DescField): PutPlain | undefined {
  const { localName, oneof, fieldKind } = field;
  const read = ofValue(field);
  if (read === undefined) return undefined;
  if (fieldKind === "list") return putItems(localName, read);
  if (fieldKind === "map") return kindOf(field.mapKey) === "string" ? putEntries(localName, read) : undefined;
  const holder = oneof?.localName;
  return (message, json, depth) => {
    const value = read(json, depth);
    if (value === undefined) return false;
    if (holder === undefined) message[localName] = value;
    else if ((message[holder] as { readonly case?: string }).case !== undefined) return false;
    else message[holder] = { case: localName, value };
    return true;
  };
}

/** The fields by their JSON names. If names are equal, the last field wins, as in protobuf-es. */
function compiledFields({ fields }: DescMessage): ReadonlyMap<string, PutPlain> {
  const byName = new Map<string, DescField>();
  for (const field of fields) byName.set(field.name, field).set(field.jsonName, field);
  const puts = new Map<string, PutPlain>();
  for (const [name, field] of byName) {
    const put = name === field.jsonName ? compiledField(field) : undefined;
    if (put !== undefined) puts.set(name, put);
  }
  return puts;
}

function compiledMessage(type: DescMessage): ReadPlain<Message> {
  let puts: ReadonlyMap<string, PutPlain> | undefined;
  return (json, depth) => {
    if (!isObject(json) || depth > maxPlainDepth) return undefined;
    // Compiled on first use, because types may be recursive.
    puts ??= compiledFields(type);
    const message: Message & Members = create(type);
    for (const name of Object.keys(json)) {
      if (puts.get(name)?.(message, json[name], depth + 1) !== true) return undefined;
    }
    return message;
  };
}

const plainReaders = new WeakMap<DescMessage, ReadPlain<Message>>();

function ofMessage(type: DescMessage): ReadPlain<Message> | undefined {
  const before = plainReaders.get(type);
  if (before !== undefined) return before;
  const read = hasCustomJsonRepresentation(type) ? compiledSpecial(type) : compiledMessage(type);
  if (read !== undefined) plainReaders.set(type, read);
  return read;
}

/** Compiles a reader of a type's plain ProtoJSON. Its messages are those of protobuf-es. Undefined for a type whose JSON is never plain. */
export function plainFromJson(type: DescMessage): ((json: unknown) => Message | undefined) | undefined {
  const read = ofMessage(type);
  return read === undefined ? undefined : (json) => read(json, 0);
}

// Reads ProtoJSON strictly: plain JSON at once; other JSON with protobuf-es, after a check of the spellings that it wrongly accepts.

/** Reads a message. May change its JSON. Throws an Error for invalid JSON. */
export type MessageFromJson = (json: JsonValue) => Message;

interface KnownSpellings {
  readonly strict: Spellings;
  readonly lenient: Spellings;
}

const readers = new WeakMap<Registry, KnownSpellings>();

function spellingsOf({ registry, ignoreUnknownFields = false }: Partial<JsonReadOptions>): Spellings {
  if (registry === undefined) return new Spellings(undefined, ignoreUnknownFields);
  const both = readers.get(registry) ?? {
    strict: new Spellings(registry, false),
    lenient: new Spellings(registry, true),
  };
  readers.set(registry, both);
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
