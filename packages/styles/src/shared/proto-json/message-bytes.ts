// Bytes fields of messages in JSON, encoded by Node.js.
import {
  type DescField,
  type DescMessage,
  type JsonValue,
  type Registry,
  ScalarType,
  toBinary,
} from "@bufbuild/protobuf";
import { type Any, anyUnpack, hasCustomJsonRepresentation, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { anyMessage, canContain } from "./json-text.ts";
import { textOfBytes } from "./scalars.ts";

// Bytes extracted from a message before its JSON is written, with their paths in that JSON.

/** A name in an object, or an index in an array. */
export type JsonKey = string | number;

interface Extracted {
  readonly path: readonly JsonKey[];
  readonly bytes: Uint8Array;
}

/** Below this size, protobuf-es is as fast. */
export const minExtractedBytes = 64;

/** Replaces extracted bytes. Not empty, so that the field is written. */
const placeholder = new Uint8Array(1);

/** The state of a walk through one message: its path and the extracted bytes. */
export class ExtractedBytes {
  readonly #path: JsonKey[] = [];
  readonly #extracted: Extracted[] = [];

  enter(key: JsonKey): void {
    this.#path.push(key);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Extracts bytes and returns the placeholder. Returns small bytes and other values unchanged. */
  extract(bytes: unknown): unknown {
    if (!(bytes instanceof Uint8Array) || bytes.length < minExtractedBytes) return bytes;
    this.#extracted.push({ path: [...this.#path], bytes });
    return placeholder;
  }

  /** Inserts the extracted bytes, as text, into the JSON. */
  putInto(json: JsonValue): JsonValue {
    // The JSON of a wrapper is the text itself, so every text gets an owner.
    const around = { json };
    for (const { path, bytes } of this.#extracted) {
      let key: JsonKey = "json";
      let owner = around as Record<JsonKey, JsonValue>;
      for (const next of path) {
        owner = owner[key] as Record<JsonKey, JsonValue>;
        key = next;
      }
      owner[key] = textOfBytes(bytes);
    }
    return around.json;
  }
}

// Extracts the bytes of messages. Compiles each type once into a walk to the fields that can contain bytes.

/** Extracts the bytes of a value. Returns a copy without them, or the value itself if it has none. */
export type ExtractBytes = (value: unknown, extracted: ExtractedBytes) => unknown;

/** A message, oneof or map of protobuf-es. */
type Members = Record<string, unknown>;

interface BytesField {
  /** The name of the field or of its oneof. */
  readonly localName: string;
  readonly jsonName: string;
  readonly extract: ExtractBytes;
}

const bytesAlone: ReadonlySet<ScalarType> = new Set([ScalarType.BYTES]);

const ofBytes: ExtractBytes = (value, extracted) => extracted.extract(value);

/** The JSON of a wrapper is that of its value. */
const inWrapper: ExtractBytes = (wrapper, extracted) => {
  const { value } = wrapper as Members;
  const rest = extracted.extract(value);
  return rest === value ? wrapper : { ...(wrapper as Members), value: rest };
};

function inOneof({ localName }: DescField, extract: ExtractBytes): ExtractBytes {
  return (value, extracted) => {
    const oneof = value as { readonly case: string | undefined; readonly value?: unknown };
    if (oneof.case !== localName) return oneof;
    const rest = extract(oneof.value, extracted);
    return rest === oneof.value ? oneof : { ...oneof, value: rest };
  };
}

function inList(extract: ExtractBytes): ExtractBytes {
  return (value, extracted) => {
    const list = value as readonly unknown[];
    let rest: unknown[] | undefined;
    for (let index = 0; index < list.length; index += 1) {
      extracted.enter(index);
      const item = extract(list[index], extracted);
      extracted.leave();
      if (item !== list[index]) (rest ??= [...list])[index] = item;
    }
    return rest ?? list;
  };
}

function inMap(extract: ExtractBytes): ExtractBytes {
  return (value, extracted) => {
    const map = value as Members;
    let rest: Members | undefined;
    for (const key of Object.keys(map)) {
      extracted.enter(key);
      const item = extract(map[key], extracted);
      extracted.leave();
      if (item !== map[key]) (rest ??= { ...map })[key] = item;
    }
    return rest ?? map;
  };
}

export class MessageBytes {
  readonly #registry: Registry | undefined;
  readonly #known = new Map<DescMessage, ExtractBytes | undefined>();

  /** @param registry resolves the type in a `google.protobuf.Any`. */
  constructor(registry: Registry | undefined) {
    this.#registry = registry;
  }

  /** Undefined for a type that cannot contain bytes. Ignores bytes in extensions. */
  ofMessage(message: DescMessage): ExtractBytes | undefined {
    if (!this.#known.has(message)) this.#known.set(message, this.#compiled(message));
    return this.#known.get(message);
  }

  #compiled(message: DescMessage): ExtractBytes | undefined {
    if (anyMessage.has(message.typeName)) return (value, extracted) => this.#inAny(value as Any, extracted);
    if (!canContain(message, anyMessage, bytesAlone)) return undefined;
    return isWrapperDesc(message) ? inWrapper : this.#inFields(message);
  }

  #inFields(message: DescMessage): ExtractBytes {
    let fields: readonly BytesField[] | undefined;
    return (value, extracted) => {
      // Compiled on first use, because types may be recursive.
      fields ??= message.fields.flatMap((field) => this.#ofField(field));
      const members = value as Members;
      let rest: Members | undefined;
      for (const { localName, jsonName, extract } of fields) {
        const member = members[localName];
        if (member === undefined) continue;
        extracted.enter(jsonName);
        const left = extract(member, extracted);
        extracted.leave();
        if (left !== member) (rest ??= { ...members })[localName] = left;
      }
      return rest ?? members;
    };
  }

  #ofField(field: DescField): readonly BytesField[] {
    const extract = this.#ofValue(field);
    if (extract === undefined) return [];
    const { localName, jsonName, oneof, fieldKind } = field;
    if (oneof !== undefined) return [{ localName: oneof.localName, jsonName, extract: inOneof(field, extract) }];
    if (fieldKind === "list") return [{ localName, jsonName, extract: inList(extract) }];
    return [{ localName, jsonName, extract: fieldKind === "map" ? inMap(extract) : extract }];
  }

  #ofValue(field: DescField): ExtractBytes | undefined {
    if (field.message === undefined) return field.scalar === ScalarType.BYTES ? ofBytes : undefined;
    const extract = this.ofMessage(field.message);
    // protobuf-es unwraps singular wrapper fields outside oneofs.
    const isUnwrapped = field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(field.message);
    return extract !== undefined && isUnwrapped ? ofBytes : extract;
  }

  #inAny(any: Any, extracted: ExtractedBytes): Any {
    const { typeUrl, value } = any;
    const type =
      value.length < minExtractedBytes
        ? undefined
        : this.#registry?.getMessage(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
    const extract = type && this.ofMessage(type);
    const message = extract && type && anyUnpack(any, type);
    if (type === undefined || extract === undefined || message === undefined) return any;
    const isApart = hasCustomJsonRepresentation(type);
    if (isApart) extracted.enter("value");
    const rest = extract(message, extracted) as typeof message;
    if (isApart) extracted.leave();
    return rest === message ? any : { ...any, value: toBinary(type, rest) };
  }
}
