// Reads a message from ProtoJSON that a person wrote. Errors have the path, the expected type and the actual value.
import { isObject } from "@roundtrip/contract";
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
import { jsonText } from "../files/form.ts";

const wholePackage = "google.protobuf.";

/** Messages with a special ProtoJSON form; https://protobuf.dev/programming-guides/json/ lists them. */
const spelledOtherwise: ReadonlySet<string> = new Set(
  ["Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value"]
    .concat(["BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue"])
    .concat(["UInt32Value", "UInt64Value"])
    .map((name) => wholePackage + name),
);

/** True for a message whose ProtoJSON is not an object of its fields: it is read and compared as a whole. */
export function isWhole({ typeName }: DescMessage): boolean {
  return spelledOtherwise.has(typeName);
}

/** The field with this name, in the contract's spelling or in JSON's; undefined if there is none. */
export function fieldNamed(type: DescMessage, name: string): DescField | undefined {
  return type.fields.find((field) => field.jsonName === name) ?? type.fields.find((field) => field.name === name);
}

/** The field with this name. Throws a FakeError with the nearest name if there is none. */
export function knownField(type: DescMessage, name: string, path: ValuePath): DescField {
  const field = fieldNamed(type, name);
  if (field !== undefined) return field;
  const known = type.fields.flatMap((one) => (one.jsonName === one.name ? [one.name] : [one.jsonName, one.name]));
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

interface Reading {
  readonly registry: Registry;
}

/** How a value of a field is checked: elements of lists and maps are checked one by one. */
interface ValueSlot {
  readonly path: ValuePath;
  /** Wraps an element in the JSON of its field. */
  readonly put: (json: JsonValue) => JsonValue;
}

/** Throws unless the value is valid for the field. */
function checkValue(field: DescField, json: JsonValue, { path, put }: ValueSlot, { registry }: Reading): void {
  const expected = (cause?: unknown): FakeError =>
    new FakeError("wrong-type", `expected ${expectation(field, json)}`, { path, cause });
  try {
    fromJson(field.parent, { [field.jsonName]: put(json) }, { registry });
  } catch (cause) {
    throw expected(cause);
  }
}

function checkField(field: DescField, json: JsonValue, path: ValuePath, reading: Reading): void {
  const { message } = field;
  const checkOne = (one: JsonValue, at: ValuePath, put: (json: JsonValue) => JsonValue): void => {
    if (message !== undefined && !isWhole(message)) checkMessage(message, one, at, reading);
    else checkValue(field, one, { path: at, put }, reading);
  };
  // Null means an unset field; where null is a value, it is valid too.
  if (json === null) return;
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) throw new FakeError("wrong-type", `expected a list, got ${jsonText(json)}`, { path });
    for (const [index, one] of json.entries()) checkOne(one, [...path, index], (value) => [value]);
    return;
  }
  if (field.fieldKind === "map") {
    if (!isObject(json)) throw new FakeError("wrong-type", `expected a map, got ${jsonText(json)}`, { path });
    for (const [key, one] of Object.entries(json)) checkOne(one, [...path, key], (value) => ({ [key]: value }));
    return;
  }
  checkOne(json, path, (value) => value);
}

/** Throws a FakeError unless the JSON is valid for each field of the message. */
function checkMessage(type: DescMessage, json: JsonValue, path: ValuePath, reading: Reading): void {
  if (!isObject(json)) {
    const text = `expected an object with the fields of ${type.typeName}, got ${jsonText(json)}`;
    throw new FakeError("wrong-type", text, { path });
  }
  for (const [key, value] of Object.entries(json)) {
    // Extensions are written in brackets, and are read with the whole message.
    if (!key.startsWith("[")) checkField(knownField(type, key, path), value, [...path, key], reading);
  }
}

/**
 * Reads a message. Throws a FakeError with the path of unknown fields, wrong types and duplicates.
 * @param path the path of the message
 */
export function readMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): Message {
  if (!isWhole(type)) checkMessage(type, json, path, { registry });
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
