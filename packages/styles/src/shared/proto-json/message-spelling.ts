// Rules of ProtoJSON that protobuf-es does not check, compiled per type.
import type { DescExtension, DescField, DescMessage, JsonObject, JsonValue, Registry } from "@bufbuild/protobuf";
import { hasCustomJsonRepresentation, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { isObject } from "@roundtrip/contract";
import { invalidSpelling, maxDepth, nearestDouble, type ReadSpelling } from "./json-text.ts";
import { durationText, isTimeText, keyCheck, scalarSpelling } from "./scalars.ts";

// JSON of any shape, for google.protobuf.Struct, Value and ListValue.

function wellFormed(text: string): string {
  // A lone surrogate is not a character, and UTF-8 cannot encode it.
  return text.isWellFormed() ? text : invalidSpelling("text without half a surrogate pair", text);
}

/** Checks any JSON for numbers and text that protobuf cannot represent. */
export function dynamicSpelling(json: unknown, depth: number): JsonValue {
  if (typeof json === "string") return wellFormed(json);
  if (typeof json === "number")
    return Number.isFinite(json) ? json : invalidSpelling("a number that a double holds", json);
  if (typeof json === "bigint") return Number(json);
  if (typeof json === "symbol") return nearestDouble(json);
  if (depth > maxDepth) return json as JsonValue;
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) {
      const read = dynamicSpelling(item, depth + 1);
      if (read !== item) json[index] = read;
    }
  } else if (isObject(json)) {
    for (const key of Object.keys(json)) {
      wellFormed(key);
      const read = dynamicSpelling(json[key], depth + 1);
      if (read !== json[key]) json[key] = read;
    }
  }
  return json as JsonValue;
}

// Checks the spelling of whole messages. Compiles each type once into the checks of its fields.

/** A field of a message, or an extension. */
type AnyField = DescField | DescExtension;

function ofTime(json: unknown): JsonValue {
  if (typeof json !== "string" || isTimeText(json)) return json as JsonValue;
  return invalidSpelling("a time of RFC 3339, as 2026-01-31T12:00:00Z", json);
}

function ofDuration(json: unknown): JsonValue {
  if (typeof json !== "string") return json as JsonValue;
  return durationText(json) ?? invalidSpelling("seconds, as 1.5s", json);
}

function ofMask(json: unknown): JsonValue {
  return typeof json !== "string" || json.isWellFormed() ? (json as JsonValue) : invalidSpelling("a field mask", json);
}

const wellKnown: ReadonlyMap<string, ReadSpelling> = new Map<string, ReadSpelling>([
  ["google.protobuf.Timestamp", ofTime],
  ["google.protobuf.Duration", ofDuration],
  ["google.protobuf.FieldMask", ofMask],
  ["google.protobuf.Struct", dynamicSpelling],
  ["google.protobuf.Value", dynamicSpelling],
  ["google.protobuf.ListValue", dynamicSpelling],
]);

const anyName = "google.protobuf.Any";

function hasSpellings(message: DescMessage, seen: Set<DescMessage>): boolean {
  if (wellKnown.has(message.typeName) || message.typeName === anyName) return true;
  if (message.proto.extensionRange.length > 0) return true;
  if (seen.has(message)) return false;
  seen.add(message);
  return message.fields.some((field) => fieldHasSpellings(field, seen));
}

function fieldHasSpellings(field: DescField, seen: Set<DescMessage>): boolean {
  if (field.fieldKind === "map" && keyCheck(field.mapKey) !== undefined) return true;
  if (field.message !== undefined) return hasSpellings(field.message, seen);
  return field.scalar !== undefined && scalarSpelling(field.scalar) !== undefined;
}

function inList(ofItem: ReadSpelling): ReadSpelling {
  return (json, depth) => {
    if (!Array.isArray(json)) return json as JsonValue;
    for (const [index, item] of json.entries()) if (item !== null) json[index] = ofItem(item, depth);
    return json;
  };
}

function inMap(check: ((key: string) => void) | undefined, ofValue: ReadSpelling | undefined): ReadSpelling {
  return (json, depth) => {
    if (!isObject(json)) return json as JsonValue;
    for (const key of Object.keys(json)) {
      check?.(key);
      const value = json[key] ?? null;
      if (ofValue !== undefined && value !== null) json[key] = ofValue(value, depth);
    }
    return json;
  };
}

export class Spellings {
  readonly #registry: Registry | undefined;
  readonly #ignoresUnknown: boolean;
  readonly #known = new Map<DescMessage, ReadSpelling | undefined>();

  /** @param registry resolves extensions and the type in a `google.protobuf.Any`. */
  constructor(registry: Registry | undefined, ignoresUnknown: boolean) {
    this.#registry = registry;
    this.#ignoresUnknown = ignoresUnknown;
  }

  /** Undefined for a type whose values protobuf-es reads strictly. */
  ofMessage(message: DescMessage): ReadSpelling | undefined {
    if (!this.#known.has(message)) this.#known.set(message, this.#compiled(message));
    return this.#known.get(message);
  }

  #compiled(message: DescMessage): ReadSpelling | undefined {
    const own = wellKnown.get(message.typeName);
    if (own !== undefined) return own;
    if (message.typeName === anyName) return (json, depth) => this.#any(json, depth);
    const [value] = message.fields;
    if (isWrapperDesc(message) && value?.scalar !== undefined) return scalarSpelling(value.scalar);
    return hasSpellings(message, new Set()) ? this.#inFields(message) : undefined;
  }

  #inFields(message: DescMessage): ReadSpelling {
    const isExtendable = message.proto.extensionRange.length > 0;
    let reads: ReadonlyMap<string, ReadSpelling> | undefined;
    return (json, depth) => {
      if (!isObject(json) || depth > maxDepth) return json as JsonValue;
      // Compiled on first use, because types may be recursive.
      reads ??= this.#fieldsOf(message);
      for (const name of Object.keys(json)) {
        const value = json[name] ?? null;
        const read = reads.get(name) ?? (isExtendable ? this.#ofExtension(name) : undefined);
        if (read !== undefined && value !== null) json[name] = read(value, depth + 1);
      }
      return json;
    };
  }

  #fieldsOf(message: DescMessage): ReadonlyMap<string, ReadSpelling> {
    const fields = new Map<string, DescField>();
    for (const field of message.fields) fields.set(field.name, field).set(field.jsonName, field);
    const reads = new Map<string, ReadSpelling>();
    // If names are equal, the last field wins, as in protobuf-es, even if it needs no check.
    for (const [name, field] of fields) {
      const read = this.#ofField(field);
      if (read !== undefined) reads.set(name, read);
    }
    return reads;
  }

  #ofExtension(key: string): ReadSpelling | undefined {
    if (!key.startsWith("[") || !key.endsWith("]")) return undefined;
    const extension = this.#registry?.getExtension(key.slice(1, -1));
    return extension === undefined ? undefined : this.#ofField(extension);
  }

  #ofField(field: AnyField): ReadSpelling | undefined {
    const ofScalar = field.scalar === undefined ? undefined : scalarSpelling(field.scalar);
    const ofValue = field.message === undefined ? ofScalar : this.ofMessage(field.message);
    if (field.fieldKind === "map") {
      const check = keyCheck(field.mapKey);
      return check === undefined && ofValue === undefined ? undefined : inMap(check, ofValue);
    }
    return field.fieldKind === "list" && ofValue !== undefined ? inList(ofValue) : ofValue;
  }

  #any(json: unknown, depth: number): JsonValue {
    if (!isObject(json) || depth > maxDepth) return json as JsonValue;
    const url = Object.hasOwn(json, "@type") ? json["@type"] : undefined;
    if (typeof url !== "string") return json;
    const slash = url.lastIndexOf("/");
    if (slash === -1) return invalidSpelling("a type's URL, as type.googleapis.com/a.Type", url);
    const message = this.#registry?.getMessage(url.slice(slash + 1));
    if (message === undefined) return json;
    const read = this.ofMessage(message);
    if (hasCustomJsonRepresentation(message)) return this.#anyValue(json, url, read, depth);
    return read === undefined ? json : read(json, depth + 1);
  }

  /** Checks a type with special JSON: it is in `value`, without other members. */
  #anyValue(json: JsonObject, url: string, read: ReadSpelling | undefined, depth: number): JsonObject {
    if (!Object.hasOwn(json, "value")) throw new Error(`${url} has no "value"`);
    const other = Object.keys(json).find((key) => key !== "@type" && key !== "value");
    if (other !== undefined && !this.#ignoresUnknown) throw new Error(`key ${JSON.stringify(other)} is unknown`);
    const value = json["value"] ?? null;
    if (read !== undefined && value !== null) json["value"] = read(value, depth + 1);
    return json;
  }
}
