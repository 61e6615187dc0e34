// Resolves references such as `${shelf.books[0].name}` in a task file: values of earlier answers, used in a request.
import type { JsonValue } from "@bufbuild/protobuf";
import { isObject } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "@roundtrip/fakes";
import { jsonText } from "@roundtrip/fakes/parts";

/** Answers, and items of loops, by the names that steps give them. */
export type Scope = ReadonlyMap<string, JsonValue>;

const reference = /\$\{([^}]*)\}/g;
const form = /^[A-Za-z][\w-]*(?:\.[A-Za-z_]\w*|\[\d+\])*$/;

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

function inside(value: JsonValue, step: string, so: string, path: ValuePath): JsonValue {
  const index = /^\[(\d+)\]$/.exec(step)?.[1];
  if (index !== undefined) {
    if (!Array.isArray(value)) throw new FakeError("wrong-type", `${so} is no list, but ${jsonText(value)}`, { path });
    const item = value[Number(index)];
    if (item !== undefined) return item;
    throw new FakeError("unknown-field", `${so} has ${value.length} items, and none at ${step}`, { path });
  }
  const members = isObject(value) ? value : {};
  const name = [step, camelCase(step)].find((one) => Object.hasOwn(members, one));
  if (name !== undefined) return members[name] as JsonValue;
  const known = Object.keys(members);
  const has = isObject(value) && known.length > 0 ? `; it has ${known.join(", ")}` : `; it is ${jsonText(value)}`;
  throw new FakeError("unknown-field", `${so} has no ${step}${suggestion(step, known)}${has}`, { path });
}

/** The value at a path in an answer, such as `shelf.books`. Throws a FakeError for unknown names and fields. */
export function valueAt(text: string, scope: Scope, path: ValuePath): JsonValue {
  const where = text.trim();
  if (!form.test(where)) {
    const what = `"${text}" is no place in an answer: it is the name that a step gave with "as", and fields such as shelf.books[0].name`;
    throw new FakeError("wrong-type", what, { path });
  }
  const [name = "", ...steps] = where.match(/\[\d+\]|[\w-]+/g) ?? [];
  const answer = scope.get(name);
  if (answer === undefined) {
    const known = [...scope.keys()];
    const has = known.length === 0 ? "no step before has a name" : `known here: ${known.join(", ")}`;
    throw new FakeError("unknown-field", `nothing before is called "${name}"${suggestion(name, known)} (${has})`, {
      path,
    });
  }
  let value = answer;
  let so = name;
  for (const step of steps) {
    value = inside(value, step, so, path);
    so += step.startsWith("[") ? step : `.${step}`;
  }
  return value;
}

/** Whether a request contains references to answers. */
export function hasReferences(json: JsonValue): boolean {
  return JSON.stringify(json).includes("${");
}

function resolvedText(text: string, scope: Scope, path: ValuePath): JsonValue {
  const whole = /^\$\{([^}]*)\}$/.exec(text)?.[1];
  // A reference alone keeps its type, such as a number or an object; within a text it becomes text.
  if (whole !== undefined) return valueAt(whole, scope, path);
  return text.replace(reference, (_match, place: string) => {
    const value = valueAt(place, scope, path);
    if (typeof value === "object") {
      throw new FakeError("wrong-type", `${place} is ${jsonText(value)}, which is no part of a text`, { path });
    }
    return String(value);
  });
}

/** The request with all references resolved. Throws a FakeError. */
export function resolved(json: JsonValue, scope: Scope, path: ValuePath): JsonValue {
  if (typeof json === "string") return resolvedText(json, scope, path);
  if (Array.isArray(json)) return json.map((one, index) => resolved(one, scope, [...path, index]));
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([key, one]) => [key, resolved(one, scope, [...path, key])]));
}
