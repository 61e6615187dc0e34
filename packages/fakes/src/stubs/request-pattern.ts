// Matches requests with a part of a message in ProtoJSON and patterns, compiled once into comparisons of fields. The same comparisons tell people
// where a request differs.
import {
  equals,
  isFieldSet,
  isMessage,
  ScalarType,
  toJson,
  type DescField,
  type DescMessage,
  type DescOneof,
  type JsonValue,
  type Message,
  type Registry,
} from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as FieldPresence, FloatValueSchema } from "@bufbuild/protobuf/wkt";
import { hasOwnJson, isObject } from "@roundtrip/contract";
import { isDeepStrictEqual } from "node:util";
import { FakeError, pathText, type ValuePath } from "../basics/fake-error.ts";
import { redactedText } from "../basics/masked-copy.ts";
import { isRedacted, redacting } from "../basics/redacted.ts";
import { expected } from "../files/checked.ts";
import { knownField, readField, readMessage, valueOf } from "./read-message.ts";
import { type Difference, textPattern } from "./text-conditions.ts";

/** A condition on one value: of a field, or of an element of its list or map. */
interface ValueCondition {
  /** As it is written. */
  readonly json: JsonValue;
  readonly test: (value: unknown) => boolean;
  /** The differences in the parts of a value, if there are parts. @param shown its ProtoJSON for people */
  readonly inside?: (
    value: unknown,
    shown: JsonValue | undefined,
    path: ValuePath,
  ) => readonly Difference[] | undefined;
}

function differencesOf(
  { json, test, inside }: ValueCondition,
  value: unknown,
  shown: JsonValue | undefined,
  path: ValuePath,
): readonly Difference[] {
  if (test(value)) return [];
  const parts = value === undefined ? undefined : inside?.(value, shown, path);
  return parts ?? [{ path: pathText(path), expected: json, got: shown }];
}

/** Well-known messages whose ProtoJSON is not a text or a number: an object in their place is a value. */
const withoutText: ReadonlySet<string> = new Set(
  ["Any", "BoolValue", "BytesValue", "ListValue", "Struct", "Value"].map((name) => `google.protobuf.${name}`),
);

/** Whether values of the field, or its elements, can be compared as texts. Other fields need equal values. */
function hasText({ scalar, enum: type, message }: DescField): boolean {
  if (message !== undefined) return hasOwnJson(message) && !withoutText.has(message.typeName);
  return type !== undefined || (scalar !== ScalarType.BYTES && scalar !== ScalarType.BOOL);
}

/** The text of a value of such a field. Enum values have their name, messages their ProtoJSON. */
function textOf({ enum: type, message }: DescField, value: unknown, registry: Registry): string {
  if (type !== undefined) return type.value[value as number]?.name ?? String(value);
  // A single wrapper is the value that it wraps.
  const isPlain = message === undefined || !isMessage(value);
  return String(isPlain ? value : toJson(message, value, { registry }));
}

type Fields = Readonly<Record<string, unknown>>;

function isSame(value: unknown, constant: unknown): boolean {
  return value === constant || (Number.isNaN(value) && Number.isNaN(constant));
}

/** Whether two values of the contract are equal: bytes by their content, well-known messages as wholes. */
function sameAs(field: DescField, constant: unknown, registry: Registry): ValueCondition["test"] {
  const { message, scalar } = field;
  if (constant instanceof Uint8Array) {
    return (value) => value instanceof Uint8Array && Buffer.compare(value, constant) === 0;
  }
  const isFloat = scalar === ScalarType.FLOAT || message?.typeName === FloatValueSchema.typeName;
  if (typeof constant === "number" && isFloat) {
    // Floats from JSON have more digits than 32-bit floats.
    const single = Math.fround(constant);
    return (value) => isSame(Math.fround(value as number), single);
  }
  if (message !== undefined && isMessage(constant)) {
    return (value) => isMessage(value) && equals(message, value, constant, { registry, unpackAny: true });
  }
  // The JSON objects of google.protobuf.Struct.
  if (typeof constant === "object") return (value) => isDeepStrictEqual(value, constant);
  return (value) => isSame(value, constant);
}

/** Where a condition is written, and how its JSON becomes a value of its field. */
interface Place {
  readonly path: ValuePath;
  /** Wraps the JSON of an element in that of its list or map. */
  readonly put: (json: JsonValue) => JsonValue;
  /** Takes the element out of the value of the field. */
  readonly take: (value: unknown) => unknown;
}

function valueCondition(field: DescField, json: JsonValue, place: Place, registry: Registry): ValueCondition {
  const { message } = field;
  const { path, put, take } = place;
  if (isObject(json) && hasText(field)) {
    const test = textPattern(json, path);
    return { json, test: (value) => value !== undefined && test(textOf(field, value, registry)) };
  }
  if (message !== undefined && !hasOwnJson(message)) {
    const pattern = messagePattern(message, json, path, registry);
    return {
      json,
      test: (value) => value !== undefined && pattern.matches(value as Message),
      inside: (value, shown, at) => pattern.differences(value as Message, shown, at),
    };
  }
  const constant = take(readField(field, json, { path, put }, registry));
  return { json, test: sameAs(field, constant, registry) };
}

function memberOf(json: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(json)) return json[Number(key)];
  return isObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

function listCondition(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): ValueCondition {
  const element = (item: JsonValue, at: ValuePath): ValueCondition => {
    const place: Place = { path: at, put: (value) => [value], take: (value) => (value as readonly unknown[])[0] };
    return valueCondition(field, item, place, registry);
  };
  if (isObject(json)) {
    const { contains, ...others } = json;
    if (contains === undefined || Object.keys(others).length > 0) {
      throw expected("a list, or an object with contains", json, path);
    }
    const { test } = element(contains, [...path, "contains"]);
    return { json, test: (value) => Array.isArray(value) && value.some((item) => test(item)) };
  }
  if (!Array.isArray(json)) throw expected("a list", json, path);
  const elements = json.map((item, index) => element(item, [...path, index]));
  return {
    json,
    test: (value) =>
      Array.isArray(value) && value.length === elements.length && elements.every(({ test }, at) => test(value[at])),
    inside(value, shown, at) {
      const items = value as readonly unknown[];
      if (items.length !== elements.length) return undefined;
      return elements.flatMap((condition, index) =>
        differencesOf(condition, items[index], memberOf(shown, index), [...at, index]),
      );
    },
  };
}

function itemOf(map: unknown, key: string): unknown {
  return Object.hasOwn(map as Fields, key) ? (map as Fields)[key] : undefined;
}

function onlyItem(map: unknown): unknown {
  return Object.values(map as Fields)[0];
}

function mapCondition(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): ValueCondition {
  if (!isObject(json)) throw expected("a map", json, path);
  const entries = Object.entries(json).map(([key, item]) => {
    const put = (value: JsonValue): JsonValue => ({ [key]: value });
    return { key, condition: valueCondition(field, item, { path: [...path, key], put, take: onlyItem }, registry) };
  });
  return {
    json,
    test: (value) => entries.every(({ key, condition: { test } }) => test(itemOf(value, key))),
    inside: (value, shown, at) =>
      entries.flatMap(({ key, condition }) =>
        differencesOf(condition, itemOf(value, key), memberOf(shown, key), [...at, key]),
      ),
  };
}

/** True if null is a value of the field, and so does not mean unset. */
export function hasNull({ message, enum: type }: DescField): boolean {
  return message?.typeName === "google.protobuf.Value" || type?.typeName === "google.protobuf.NullValue";
}

/** A condition on one field of a message. */
interface FieldCondition extends ValueCondition {
  readonly field: DescField;
  /** As it is written. */
  readonly name: string;
  readonly matches: (message: Message) => boolean;
}

function fieldCondition(
  field: DescField,
  name: string,
  json: JsonValue,
  path: ValuePath,
  registry: Registry,
): FieldCondition {
  if (json === null && !hasNull(field)) {
    return { field, name, json, test: () => false, matches: (message) => !isFieldSet(message, field) };
  }
  const read = valueOf(field);
  const { fieldKind, message: type } = field;
  const plain: Place = { path, put: (value) => value, take: (value) => value };
  const condition =
    fieldKind === "list"
      ? listCondition(field, json, path, registry)
      : fieldKind === "map"
        ? mapCondition(field, json, path, registry)
        : valueCondition(field, json, plain, registry);
  const { test } = condition;
  // For single values with presence, the default of the contract does not count as a value.
  const isDefaultless =
    fieldKind === "list" ||
    fieldKind === "map" ||
    field.presence === FieldPresence.IMPLICIT ||
    (type !== undefined && !hasOwnJson(type));
  const matches = isDefaultless
    ? (message: Message) => test(read(message))
    : (message: Message) => isFieldSet(message, field) && test(read(message));
  return { ...condition, field, name, matches };
}

function fieldDifferences(
  condition: FieldCondition,
  message: Message,
  shown: JsonValue | undefined,
  path: ValuePath,
): readonly Difference[] {
  const { field, name, json, matches } = condition;
  if (matches(message)) return [];
  const at = [...path, name];
  // The masked JSON lacks hidden values that are no texts: they would seem not to be set.
  if (isRedacted(field) && isFieldSet(message, field)) {
    return [{ path: pathText(at), expected: json, got: redactedText }];
  }
  const got = memberOf(shown, field.jsonName);
  const parts = differencesOf(condition, valueOf(field)(message), got, at);
  return parts.length > 0 ? parts : [{ path: pathText(at), expected: json, got }];
}

/** The conditions on the fields of a message. */
interface MessagePattern {
  readonly matches: (message: Message) => boolean;
  readonly differences: (message: Message, shown: JsonValue | undefined, path: ValuePath) => readonly Difference[];
}

function messagePattern(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): MessagePattern {
  if (!isObject(json)) throw expected(`an object with the fields of ${type.typeName}`, json, path);
  const known = new Set<DescField | DescOneof>();
  const fields = Object.entries(json).map(([name, value]) => {
    const at = [...path, name];
    if (name.startsWith("[")) throw new FakeError("unknown-field", "extensions cannot be matched", { path: at });
    const field = knownField(type, name, path);
    const slot = value === null ? field : (field.oneof ?? field);
    if (known.has(slot)) {
      throw new FakeError("wrong-type", `no message has both this and another member of ${slot.name}`, { path: at });
    }
    known.add(slot);
    return fieldCondition(field, name, value, at, registry);
  });
  return {
    matches: (message) => fields.every(({ matches }) => matches(message)),
    differences: (message, shown, at) => fields.flatMap((condition) => fieldDifferences(condition, message, shown, at)),
  };
}

/** A compiled pattern. */
export interface RequestPattern {
  /** True for `{}`, which matches every request. */
  readonly isAny: boolean;
  /** True for requests that contain all of the pattern. */
  readonly matches: (request: Message) => boolean;
  /** The parts of the pattern that a request does not match; empty if it matches. */
  readonly differences: (request: Message) => readonly Difference[];
}

/** The message in ProtoJSON with all fields that have a value; undefined if it has no JSON. */
function shownJson(type: DescMessage, message: Message, registry: Registry): JsonValue | undefined {
  try {
    return toJson(type, redacting.copyOf(type, message, registry), { registry, alwaysEmitImplicit: true });
  } catch {
    // An Any of an unknown type.
    return undefined;
  }
}

/**
 * Compiles a pattern. Throws a FakeError if no request of the type can match it.
 * @param when a part of the request in ProtoJSON. Its members must be present and equal: nested messages match by the same rule, lists need
 * the same length, maps may have other keys, and messages with a special ProtoJSON form are compared as wholes. `{ matches }` and `{ glob }` match
 * texts, `{ contains }` matches lists. `null` matches an unset field. `{}` matches every request.
 */
export function requestPattern(
  type: DescMessage,
  when: JsonValue,
  registry: Registry,
  path: ValuePath = [],
): RequestPattern {
  if (isObject(when) && Object.keys(when).length === 0) {
    return { isAny: true, matches: () => true, differences: () => [] };
  }
  if (hasOwnJson(type)) {
    const whole = readMessage(type, when, path, registry);
    const matches = (request: Message): boolean => equals(type, request, whole, { registry, unpackAny: true });
    const differences = (request: Message): readonly Difference[] =>
      matches(request) ? [] : [{ path: "", expected: when, got: shownJson(type, request, registry) }];
    return { isAny: false, matches, differences };
  }
  const { matches, differences } = messagePattern(type, when, path, registry);
  return {
    isAny: false,
    matches,
    differences: (request) => (matches(request) ? [] : differences(request, shownJson(type, request, registry), [])),
  };
}
