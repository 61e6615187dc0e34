// Messages of a session whose contract has changed: each is read again as one of the new contract, if its JSON is still the same.
import {
  type DescField,
  type DescMessage,
  fromBinary,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { CallError, type Contract, isObject, type Service } from "@roundtrip/contract";

/** A part of a session that a change of the contract resets. */
export interface Reset {
  /** Its name for one and for several: `guest` and `guests`. */
  readonly names: readonly [string, string];
  readonly count: number;
  readonly why: string;
}

/** The service of a session with an earlier contract, whose state the next one takes over. */
export interface EarlierService {
  readonly service: Service;
  readonly onReset: (reset: Reset) => void;
}

/** What an earlier contract stored has no place in the new one. The message says why. */
export class Unreadable extends Error {}

/** Calls the function. Returns why it could not take over what it was to. */
export function whyNot(takeOver: () => void): string | undefined {
  try {
    takeOver();
    return undefined;
  } catch (thrown) {
    // Initial resources may be larger than before.
    const isFull = thrown instanceof CallError && thrown.code === "RESOURCE_EXHAUSTED";
    if (thrown instanceof Unreadable || isFull) return thrown.message;
    throw thrown;
  }
}

function isIncluded(value: JsonValue | undefined, next: JsonValue | undefined): boolean {
  if (Array.isArray(value)) {
    return Array.isArray(next) && value.length === next.length && value.every((item, at) => isIncluded(item, next[at]));
  }
  if (!isObject(value)) return value === next;
  return isObject(next) && Object.entries(value).every(([name, inner]) => isIncluded(inner, next[name] as JsonValue));
}

function typeText(field: DescField): string {
  const isList = field.fieldKind === "list" ? "list" : field.fieldKind === "map" ? `map ${field.mapKey}` : "";
  return [isList, field.scalar, field.enum?.typeName, field.message?.typeName].join(" ");
}

function changeOf(field: DescField, { fields }: DescMessage): string | undefined {
  const next = fields.find(({ name }) => name === field.name);
  if (next === undefined) {
    const renamed = fields.find(({ number }) => number === field.number);
    return renamed === undefined ? "was removed" : `is called \`${renamed.name}\``;
  }
  if (next.number !== field.number) return "has another number";
  if (typeText(next) !== typeText(field)) return "has another type";
  if (next.jsonName !== field.jsonName) return "has another name in JSON";
  const isOtherEnum = field.enum?.values.some(
    ({ name, number }) => next.enum?.values.find((value) => value.number === number)?.name !== name,
  );
  return isOtherEnum === true ? "has other values" : undefined;
}

/** The first field with a value that the new type has not, or has otherwise. */
function changedField(from: DescMessage, to: DescMessage, json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const field = from.fields.find(({ jsonName }) => jsonName === name);
    const change = field === undefined ? undefined : changeOf(field, to);
    if (change !== undefined) return `field \`${field?.name}\` ${change}`;
    const inner = to.fields.find((next) => next.name === field?.name)?.message;
    if (field?.message === undefined || inner === undefined) continue;
    const values = field.fieldKind === "message" ? [value] : Object.values(value as Readonly<Record<string, unknown>>);
    for (const each of values) {
      const found = changedField(field.message, inner, each as JsonValue);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Reads messages of one contract as those of another. */
export type Reread = (from: DescMessage, to: DescMessage, message: Message) => Message;

/** The function throws Unreadable for a message whose JSON changes, except that it may get further fields. */
export function rereading({ registry }: Contract, next: Contract): Reread {
  return (from, to, message) => {
    let json: JsonValue | undefined;
    try {
      json = toJson(from, message, { registry });
      const read = fromBinary(to, toBinary(from, message));
      if (isIncluded(json, toJson(to, read, { registry: next.registry }))) return read;
    } catch {
      // Bytes of another type; the field with it is named below. Over gRPC, values may have no form in JSON, such as an Any of an unknown type.
    }
    if (json === undefined) throw new Unreadable(`a ${from.name} has no form in JSON`);
    throw new Unreadable(changedField(from, to, json) ?? `${from.name} reads otherwise`);
  };
}
