// Reads a message from ProtoJSON that a person wrote: what is wrong with it is told with the path to it, what belongs there and what is there.
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
import { suggestion } from "@roundtrip/contract/nearest-name";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { jsonText } from "../files/json-text.ts";

const wholePackage = "google.protobuf.";

/** Messages that ProtoJSON spells in a way of their own; https://protobuf.dev/programming-guides/json/ lists them. */
const spelledOtherwise: ReadonlySet<string> = new Set(
  ["Any", "Duration", "FieldMask", "ListValue", "Struct", "Timestamp", "Value"]
    .concat(["BoolValue", "BytesValue", "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue"])
    .concat(["UInt32Value", "UInt64Value"])
    .map((name) => wholePackage + name),
);

/** True for a message whose ProtoJSON is not an object of its fields: it is read, and compared, as a whole. */
export function isWhole({ typeName }: DescMessage): boolean {
  return spelledOtherwise.has(typeName);
}

/** The field with this name, as the contract writes it or as JSON does; undefined when there is none. */
export function fieldNamed(type: DescMessage, name: string): DescField | undefined {
  return type.fields.find((field) => field.jsonName === name) ?? type.fields.find((field) => field.name === name);
}

/** The field with this name. Throws a FakeError, with the nearest name, when there is none. */
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
  return `a value of ${typeName}${all}, here is ${jsonText(json)}${typeof json === "string" ? suggestion(json, names) : ""}`;
}

/** What belongs into a field, or into one place of a list or map, and what is there instead. */
function expectation({ enum: type, message, scalar }: DescField, json: JsonValue): string {
  if (type !== undefined) return enumWords(type, json);
  if (message !== undefined) return `a ${message.typeName} as ProtoJSON has it, here is ${jsonText(json)}`;
  const name = ScalarType[scalar ?? ScalarType.STRING].toLowerCase();
  const here = `here is ${jsonText(json)}`;
  if (scalar === ScalarType.BYTES) return `bytes in base64, ${here}`;
  const isUnquoted = scalar === ScalarType.STRING && ["number", "boolean"].includes(typeof json);
  return `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}, ${here}${isUnquoted ? "; quotes make it a text" : ""}`;
}

interface Reading {
  readonly registry: Registry;
}

/** Where a value of a field stands: in a list or map it is one of several. */
interface ValuePlace {
  readonly path: ValuePath;
  /** Makes of the value what the field's JSON is. */
  readonly put: (json: JsonValue) => JsonValue;
}

/** Throws unless the value is one for the field. */
function checkValue(field: DescField, json: JsonValue, { path, put }: ValuePlace, { registry }: Reading): void {
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
  // A field that is not set; where null is a value, it is right as well.
  if (json === null) return;
  if (field.fieldKind === "list") {
    if (!Array.isArray(json)) throw new FakeError("wrong-type", `expected a list, here is ${jsonText(json)}`, { path });
    for (const [index, one] of json.entries()) checkOne(one, [...path, index], (value) => [value]);
    return;
  }
  if (field.fieldKind === "map") {
    if (!isObject(json)) throw new FakeError("wrong-type", `expected a map, here is ${jsonText(json)}`, { path });
    for (const [key, one] of Object.entries(json)) checkOne(one, [...path, key], (value) => ({ [key]: value }));
    return;
  }
  checkOne(json, path, (value) => value);
}

/** Throws a FakeError unless the JSON is one for the message, as far as each of its fields goes. */
function checkMessage(type: DescMessage, json: JsonValue, path: ValuePath, reading: Reading): void {
  if (!isObject(json)) {
    const text = `expected an object with the fields of ${type.typeName}, here is ${jsonText(json)}`;
    throw new FakeError("wrong-type", text, { path });
  }
  for (const [key, value] of Object.entries(json)) {
    // Extensions are spelled with brackets, and are read with the whole.
    if (!key.startsWith("[")) checkField(knownField(type, key, path), value, [...path, key], reading);
  }
}

/**
 * Reads a message. Throws a FakeError that says where something is wrong: no such field, another type, a field given twice.
 * @param path where the message stands.
 */
export function readMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): Message {
  if (!isWhole(type)) checkMessage(type, json, path, { registry });
  try {
    return fromJson(type, json, { registry });
  } catch (cause) {
    const text = `expected a ${type.typeName} as ProtoJSON has it, here is ${jsonText(json)}: ${(cause as Error).message}`;
    throw new FakeError("wrong-type", text, { path, cause });
  }
}

/** The same for a message that is sent: proto2's required fields have to be there. */
export function readWholeMessage(type: DescMessage, json: JsonValue, path: ValuePath, registry: Registry): Message {
  const message = readMessage(type, json, path, registry);
  try {
    toBinary(type, message);
  } catch (cause) {
    throw new FakeError("wrong-type", `it cannot be sent: ${(cause as Error).message}`, { path, cause });
  }
  return message;
}
