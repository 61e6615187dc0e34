// Reads messages from ProtoJSON, strictly. Each type is compiled once; its messages are those of protobuf-es.
import {
  create,
  createRegistry,
  type DescExtension,
  type DescField,
  type DescMessage,
  fromJson,
  type JsonReadOptions,
  type JsonValue,
  type Message,
  type Registry,
  setExtension,
} from "@bufbuild/protobuf";
import { anyPack, hasCustomJsonRepresentation, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { CallError, camelPath, isObject } from "@roundtrip/contract";
import { type AnyField, isJsonStruct, isUnwrapped, type Members, setOwn } from "../local-values.ts";
import { errorWithin, JsonError, noSuchField, notA } from "./json-errors.ts";
import { numberText, durationText, isTimeText, keyReader, scalarJson } from "./scalars.ts";

/** Reads a message. Throws a JsonError for an invalid value, an Error for JSON that nests too deep, and a CallError for too many values. */
export type MessageFromJson = (json: JsonValue) => Message;

/** Reads the JSON of a value. Undefined for an unknown name of an enum that is to be ignored. @param depth the number of messages around it */
type ReadValue<T = unknown> = (json: unknown, depth: number) => T;

type ReadMessage = ReadValue<Message>;

/** How many messages may be inside each other: the limit of protobuf libraries. */
export const maxNesting = 100;

function checkDepth(depth: number): void {
  if (depth >= maxNesting) throw new Error(`the JSON has more than ${maxNesting} messages inside each other`);
}

/** Maximum number of values of any shape in a message: protobuf-es makes two objects of each. */
const maxAnyValues = 50_000;

/** Those of the message that is read. */
let anyValues = 0;

function countAnyValue(): void {
  anyValues += 1;
  if (anyValues <= maxAnyValues) return;
  throw new CallError(
    "RESOURCE_EXHAUSTED",
    `the JSON has more than ${maxAnyValues} values inside google.protobuf.Value`,
  );
}

// Types with a JSON form of their own.

/** JSON of any shape, for google.protobuf.Struct, Value and ListValue: with numbers and text that protobuf can represent. */
export function anyJson(json: unknown): JsonValue {
  anyValues = 0;
  return readAny(json, 0);
}

function readAny(json: unknown, depth: number): JsonValue {
  checkDepth(depth);
  countAnyValue();
  const exact = numberText(json);
  if (exact !== undefined) return Number(exact);
  if (typeof json === "number" && !Number.isFinite(json)) throw notA("a number that a double can represent", json);
  if (typeof json === "string") return scalarText(json);
  if (Array.isArray(json)) return json.map((item) => readAny(item, depth + 1));
  if (!isObject(json)) return json as JsonValue;
  const copy = {};
  for (const key of Object.keys(json)) setOwn(copy, scalarText(key), readAny(json[key], depth + 1));
  return copy;
}

function scalarText(text: string): string {
  if (!text.isWellFormed()) throw notA("text in Unicode", text);
  return text;
}

function struct(json: unknown, depth: number): JsonValue {
  if (!isObject(json)) throw notA("an object", json);
  return readAny(json, depth);
}

const comma = 0x2c;

/** Maximum number of paths and capital letters in a mask: each becomes a text. Services take far fewer paths. */
export const maxMaskTexts = 50_000;

/** Paths of JSON names, as contract names. One pass over the text takes half the time of `split` and `replace`. */
function maskPaths(json: unknown): readonly string[] {
  if (typeof json !== "string" || json.includes("_") || !json.isWellFormed())
    throw notA("a field mask", json, () => [camelPath(String(json))].filter((path) => !/_|^$/.test(path)));
  if (json === "") return [];
  const paths: string[] = [];
  let path = "";
  let from = 0;
  let texts = 0;
  for (let at = 0; at <= json.length; at += 1) {
    const code = at === json.length ? comma : json.charCodeAt(at);
    const isCapital = code >= 0x41 && code <= 0x5a;
    if (code !== comma && !isCapital) continue;
    if ((texts += 1) > maxMaskTexts)
      throw new CallError("RESOURCE_EXHAUSTED", `a field mask has more than ${maxMaskTexts} paths and capital letters`);
    if (code === comma) {
      paths.push(path + json.slice(from, at));
      path = "";
      from = at + 1;
    } else {
      path += `${json.slice(from, at)}_${String.fromCharCode(code + 0x20)}`;
      from = at + 1;
    }
  }
  return paths;
}

/** Reads text with protobuf-es, which checks its range. @param checked the text in protobuf-es' form; undefined if it is invalid */
function fromText(
  type: DescMessage,
  expected: string,
  checked: (text: string) => string | undefined,
): (json: unknown) => Message {
  return (json) => {
    const text = typeof json === "string" ? checked(json) : undefined;
    if (text === undefined) throw notA(expected, json);
    try {
      return fromJson(type, text);
    } catch {
      throw notA(expected, json);
    }
  };
}

function specialReader(type: DescMessage): ReadMessage | undefined {
  switch (type.typeName) {
    case "google.protobuf.Timestamp":
      return fromText(type, "a time of RFC 3339, as 2026-01-31T12:00:00Z", (text) =>
        isTimeText(text) ? text : undefined,
      );
    case "google.protobuf.Duration":
      return fromText(type, "seconds, as 1.5s", durationText);
    case "google.protobuf.FieldMask":
      return (json) => Object.assign(create(type), { paths: maskPaths(json) });
    case "google.protobuf.Struct":
      return (json, depth) => fromJson(type, struct(json, depth));
    case "google.protobuf.Value":
      return (json, depth) => fromJson(type, readAny(json, depth + 1));
    case "google.protobuf.ListValue":
      return (json, depth) => {
        if (!Array.isArray(json)) throw notA("a list", json);
        return fromJson(type, readAny(json, depth));
      };
    default: {
      const [value] = type.fields;
      if (value === undefined || !isWrapperDesc(type)) return undefined;
      const read = scalarReader(value, false);
      return (json) => (json === null ? create(type) : Object.assign(create(type), { value: read(json, 0) }));
    }
  }
}

// Values of fields.

function scalarReader({ scalar }: AnyField, isStoredAsText: boolean): ReadValue {
  const { read, expected } = scalarJson(scalar as NonNullable<AnyField["scalar"]>);
  return (json) => {
    const value = read(json);
    if (value === undefined) throw notA(expected, json);
    return isStoredAsText ? value.toString() : value;
  };
}

function enumReader({ name, values, open }: NonNullable<AnyField["enum"]>, ignoresUnknown: boolean): ReadValue {
  const numbers = new Map<unknown, number>();
  for (const { jsonName, number } of values) numbers.set(jsonName, number);
  // If names are equal, that of the contract wins, as in protobuf-es.
  for (const value of values) numbers.set(value.name, value.number);
  const known = new Set(values.map(({ number }) => number));
  const zero = values[0]?.number;
  return (json) => {
    if (json === null) return zero;
    const named = numbers.get(json);
    if (named !== undefined) return named;
    if (typeof json === "string" && ignoresUnknown) return undefined;
    // Open enums have every number of 32 bits.
    if (typeof json !== "number" || (json | 0) !== json || (!open && !known.has(json)))
      throw notA(`a value of ${name}`, json, () => values.map((value) => value.name));
    return json | 0;
  };
}

interface FieldReader {
  readonly jsonName: string;
  /** Another name of the field that the JSON must not have too. */
  readonly otherName: string | undefined;
  /** Whether null is a value. Otherwise a field that is null is unset. */
  readonly takesNull: boolean;
  readonly put: (message: Members, json: unknown, depth: number) => void;
}

const nullable: ReadonlySet<string | undefined> = new Set(["google.protobuf.Value", "google.protobuf.NullValue"]);

function takesNull({ message, enum: desc }: AnyField): boolean {
  return nullable.has((message ?? desc)?.typeName);
}

/** Reads an item of a list or map, which cannot be null. */
function itemReader(field: AnyField, read: ReadValue): ReadValue {
  if (takesNull(field)) return read;
  return (json, depth) => {
    if (json === null) throw new JsonError("null in a list or map");
    return read(json, depth);
  };
}

class MessageReaders {
  readonly #registry: Registry;
  readonly #ignoresUnknown: boolean;
  readonly #known = new Map<DescMessage, ReadMessage>();

  /** @param registry resolves extensions and the types in `google.protobuf.Any`. */
  constructor(registry: Registry, ignoresUnknown: boolean) {
    this.#registry = registry;
    this.#ignoresUnknown = ignoresUnknown;
  }

  ofMessage(type: DescMessage): ReadMessage {
    const known = this.#known.get(type);
    if (known !== undefined) return known;
    const isAny = type.typeName === "google.protobuf.Any";
    const read = specialReader(type) ?? (isAny ? this.#any(type) : this.#fieldsReader(type));
    this.#known.set(type, read);
    return read;
  }

  #fieldsReader(type: DescMessage): ReadMessage {
    let fields: ReadonlyMap<string, FieldReader> | undefined;
    return (json, depth) => {
      if (!isObject(json)) throw notA("an object", json);
      checkDepth(depth);
      // Compiled on first use, because types may be recursive.
      fields ??= this.#fieldsOf(type);
      const message: Message & Members = create(type);
      let step = "";
      try {
        for (step of Object.keys(json)) {
          const value = json[step];
          const field = fields.get(step);
          if (field === undefined) {
            this.#putUnknown(message, type, step, value, depth + 1);
            continue;
          }
          const { jsonName, otherName } = field;
          step = jsonName;
          if (otherName !== undefined && Object.hasOwn(json, otherName))
            throw new JsonError("given by both of its names");
          if (value !== null || field.takesNull) field.put(message, value, depth + 1);
        }
      } catch (thrown) {
        throw errorWithin(step, thrown);
      }
      return message;
    };
  }

  /** The fields by both of their names. If names are equal, the last field wins, as in protobuf-es. */
  #fieldsOf(type: DescMessage): ReadonlyMap<string, FieldReader> {
    const byName = new Map<string, DescField>();
    for (const field of type.fields) byName.set(field.name, field).set(field.jsonName, field);
    const readers = new Map<string, FieldReader>();
    for (const [name, field] of byName) {
      const { jsonName } = field;
      const otherName = name !== jsonName && byName.get(jsonName) === field ? jsonName : undefined;
      readers.set(name, { jsonName, otherName, takesNull: takesNull(field), put: this.#putter(field) });
    }
    return readers;
  }

  #putUnknown(message: Message, { typeName, fields }: DescMessage, key: string, json: unknown, depth: number): void {
    const isName = key.startsWith("[") && key.endsWith("]");
    const extension = isName ? this.#registry.getExtension(key.slice(1, -1)) : undefined;
    if (extension?.extendee.typeName === typeName) {
      if (json !== null || takesNull(extension))
        setExtension(message, extension, this.#extension(extension)(json, depth));
    } else if (!this.#ignoresUnknown) {
      const known = (): readonly string[] => fields.flatMap(({ jsonName, name }) => [jsonName, name]);
      throw new JsonError(noSuchField, "", { typed: key, known });
    }
  }

  #extension(field: DescExtension): ReadValue {
    const read = this.ofValue(field);
    if (field.fieldKind !== "list") return read;
    const readItem = itemReader(field, read);
    return (json, depth) => {
      const items: unknown[] = [];
      pushItems(items, json, depth, readItem);
      return items;
    };
  }

  #putter(field: DescField): FieldReader["put"] {
    const { localName, oneof } = field;
    const read = this.ofValue(field);
    if (field.fieldKind === "list") {
      const readItem = itemReader(field, read);
      return (message, json, depth) => pushItems(message[localName] as unknown[], json, depth, readItem);
    }
    if (field.fieldKind === "map") {
      const readKey = keyReader(field.mapKey);
      const readItem = itemReader(field, read);
      return (message, json, depth) => putEntries(message[localName] as Members, json, depth, readKey, readItem);
    }
    if (oneof === undefined) {
      return (message, json, depth) => {
        const value = read(json, depth);
        if (value !== undefined) message[localName] = value;
      };
    }
    return (message, json, depth) => {
      const value = read(json, depth);
      if (value === undefined) return;
      const { case: other } = message[oneof.localName] as { readonly case?: string };
      if (other !== undefined) throw new JsonError(`${other} of the same oneof is given too`);
      message[oneof.localName] = { case: localName, value };
    };
  }

  /** Reads a value of a field: of each of its values for a list or map. */
  ofValue(field: AnyField): ReadValue {
    if (field.enum !== undefined) return enumReader(field.enum, this.#ignoresUnknown);
    if (field.message === undefined) return scalarReader(field, "longAsString" in field && field.longAsString);
    if (isJsonStruct(field)) return struct;
    const [value] = field.message.fields;
    if (value !== undefined && isUnwrapped(field)) return scalarReader(value, false);
    return this.ofMessage(field.message);
  }

  #any(type: DescMessage): ReadMessage {
    return (json, depth) => {
      checkDepth(depth);
      if (!isObject(json)) throw notA("an object", json);
      const any = create(type);
      const { "@type": url, ...fields } = json;
      if (Object.keys(json).length === 0) return any;
      const slash = typeof url === "string" ? url.lastIndexOf("/") : -1;
      if (typeof url !== "string" || slash === -1)
        throw notA("a type's URL in @type, as type.googleapis.com/a.Type", url);
      const inner = this.#registry.getMessage(url.slice(slash + 1));
      if (inner === undefined) throw new JsonError(`${url} is not a type of the contract`);
      const value = hasCustomJsonRepresentation(inner) ? this.#onlyValue(fields, url) : fields;
      anyPack(inner, this.ofMessage(inner)(value, depth + 1), any as never);
      return any;
    };
  }

  /** A type with a JSON form of its own has it in `value`, without other members. */
  #onlyValue(fields: Readonly<Record<string, JsonValue>>, url: string): JsonValue {
    const other = Object.keys(fields).find((key) => key !== "value");
    if (other !== undefined && !this.#ignoresUnknown) throw new JsonError(noSuchField, other);
    if (!Object.hasOwn(fields, "value")) throw new JsonError(`${url} has no "value"`);
    return fields["value"] ?? null;
  }
}

function pushItems(items: unknown[], json: unknown, depth: number, read: ReadValue): void {
  if (!Array.isArray(json)) throw notA("a list", json);
  let index = 0;
  try {
    for (; index < json.length; index += 1) {
      const value = read(json[index], depth);
      if (value !== undefined) items.push(value);
    }
  } catch (thrown) {
    throw errorWithin(`[${index}]`, thrown);
  }
}

function putEntries(
  map: Members,
  json: unknown,
  depth: number,
  readKey: (key: string) => string | undefined,
  read: ReadValue,
): void {
  if (!isObject(json)) throw notA("an object", json);
  for (const name of Object.keys(json)) {
    try {
      const key = readKey(name);
      if (key === undefined) throw notA("a key of the map's type", name);
      if (Object.hasOwn(map, key)) throw new JsonError("the key occurs twice");
      const value = read(json[name], depth);
      if (value !== undefined) setOwn(map, key, value);
    } catch (thrown) {
      throw errorWithin(`[${JSON.stringify(name)}]`, thrown);
    }
  }
}

interface KnownReaders {
  readonly strict: MessageReaders;
  readonly lenient: MessageReaders;
}

const empty = createRegistry();
const known = new WeakMap<Registry, KnownReaders>();

function readersOf(registry: Registry, ignoresUnknown: boolean): MessageReaders {
  let readers = known.get(registry);
  if (readers === undefined) {
    readers = { strict: new MessageReaders(registry, false), lenient: new MessageReaders(registry, true) };
    known.set(registry, readers);
  }
  return ignoresUnknown ? readers.lenient : readers.strict;
}

/** Compiles a reader of a type's ProtoJSON. */
export function messageFromJson(
  type: DescMessage,
  { registry = empty, ignoreUnknownFields = false }: Partial<JsonReadOptions>,
): MessageFromJson {
  const read = readersOf(registry, ignoreUnknownFields).ofMessage(type);
  return (json) => {
    anyValues = 0;
    return read(json, 0);
  };
}

/** Compiles a reader of a field's values, as protobuf-es stores them: of each value for a list or map. */
export function valueFromJson(field: DescField, registry: Registry): (json: JsonValue) => unknown {
  const read = readersOf(registry, false).ofValue(field);
  return (json) => {
    anyValues = 0;
    return read(json, 0);
  };
}
