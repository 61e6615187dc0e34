// Reads a message from ProtoJSON that a person wrote. Errors have the path, the expected type and the actual value.
import { hasOwnJson, isObject } from "@roundtrip/contract";
import {
  fromJson,
  toBinary,
  type DescEnum,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
  type Registry,
  ScalarType,
} from "@bufbuild/protobuf";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected, jsonText } from "../files/checked.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a field's value; undefined for an unset field with presence, and for other members of a oneof. */
export function valueOf({ localName, oneof }: DescField): (message: Message) => unknown {
  if (oneof === undefined) return (message) => (message as unknown as Fields)[localName];
  return (message) => {
    const chosen = (message as unknown as Fields)[oneof.localName] as {
      readonly case?: string;
      readonly value?: unknown;
    };
    return chosen.case === localName ? chosen.value : undefined;
  };
}

/** The field with this name, in the contract's spelling or in JSON's; undefined if there is none. */
export function fieldNamed(type: DescMessage, name: string): DescField | undefined {
  return type.fields.find((field) => field.jsonName === name) ?? type.fields.find((field) => field.name === name);
}

/** The field with this name. Throws a FakeError with the nearest name if there is none. */
export function knownField(type: DescMessage, name: string, path: ValuePath): DescField {
  const field = fieldNamed(type, name);
  if (field !== undefined) return field;
  const known = type.fields.flatMap(({ jsonName, name: own }) => (jsonName === own ? [own] : [jsonName, own]));
  const text = known.length === 0 ? `${type.typeName} has no fields` : `${type.typeName} has no field "${name}"`;
  throw new FakeError("unknown-field", `${text}${suggestion(name, known)}`, { path: [...path, name] });
}

function enumWords({ typeName, values }: DescEnum, json: JsonValue): string {
  const names = values.map(({ name }) => name);
  const all = names.length <= 8 ? ` (${names.join(", ")})` : "";
  return `a value of ${typeName}${all}, got ${jsonText(json)}${typeof json === "string" ? suggestion(json, names) : ""}`;
}

/** The expected type of a field, or of one element of a list or map, and the actual value. */
function expectation({ enum: type, message, scalar }: DescField, json: JsonValue): string {
  if (type !== undefined) return enumWords(type, json);
  if (message !== undefined) return `a ${message.typeName} in ProtoJSON, got ${jsonText(json)}`;
  const name = ScalarType[scalar ?? ScalarType.STRING].toLowerCase();
  const actual = `got ${jsonText(json)}`;
  if (scalar === ScalarType.BYTES) return `bytes in base64, ${actual}`;
  const isUnquoted = scalar === ScalarType.STRING && ["number", "boolean"].includes(typeof json);
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}, ${actual}${isUnquoted ? "; put it in quotes" : ""}`;
}

/** Where a value of a field is written. */
interface ValuePlace {
  readonly path: ValuePath;
  /** Wraps the JSON of an element in that of its list or map. */
  readonly put: (json: JsonValue) => JsonValue;
}

/** The value of a field. Throws a FakeError for JSON that is not valid for it. */
export function readField(field: DescField, json: JsonValue, { path, put }: ValuePlace, registry: Registry): unknown {
  try {
    return valueOf(field)(fromJson(field.parent, { [field.jsonName]: put(json) }, { registry }));
  } catch (cause) {
    throw new FakeError("wrong-type", `expected ${expectation(field, json)}`, { path, cause });
  }
}

function checkField(field: DescField, json: JsonValue, path: ValuePath, registry: Registry): void {
  const { message } = field;
  const checkValue = (value: JsonValue, at: ValuePath, put: (json: JsonValue) => JsonValue): void => {
    if (message !== undefined && !hasOwnJson(message)) checkMessage(message, value, at, registry);
    else readField(field, value, { path: at, put }, registry);
  };
  // Null means an unset field; where null is a value, it is valid too.
  if (json === null) return;
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) throw expected("a list", json, path);
    for (const [index, item] of json.entries()) checkValue(item, [...path, index], (value) => [value]);
  } else if (field.fieldKind === "map") {
    if (!isObject(json)) throw expected("a map", json, path);
    for (const [key, item] of Object.entries(json)) checkValue(item, [...path, key], (value) => ({ [key]: value }));
  } else checkValue(json, path, (value) => value);
}

/** Throws a FakeError unless the JSON is valid for each field of the message. */
function checkMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): void {
  if (!isObject(json)) throw expected(`an object with the fields of ${type.typeName}`, json, path);
  for (const [key, value] of Object.entries(json)) {
    // Extensions are written in brackets, and are read with the whole message.
    if (!key.startsWith("[")) checkField(knownField(type, key, path), value, [...path, key], registry);
  }
}

/**
 * Reads a message. Throws a FakeError with the path of unknown fields, wrong types and duplicates.
 * @param path the path of the message
 */
export function readMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): Message {
  if (!hasOwnJson(type)) checkMessage(type, json, path, registry);
  try {
    return fromJson(type, json, { registry });
  } catch (cause) {
    const text = `expected a ${type.typeName} in ProtoJSON, got ${jsonText(json)}: ${(cause as Error).message}`;
    throw new FakeError("wrong-type", text, { path, cause });
  }
}

/** The same for a message that is sent: required fields of proto2 must be set. */
export function readWholeMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): Message {
  const message = readMessage(type, json, path, registry);
  try {
    toBinary(type, message);
  } catch (cause) {
    throw new FakeError("wrong-type", `it cannot be encoded: ${(cause as Error).message}`, { path, cause });
  }
  return message;
}
