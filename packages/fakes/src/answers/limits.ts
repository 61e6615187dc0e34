// What a made-up message has at most, whatever the rules of its contract demand, and the errors for rules that demand more or exclude each other.
import type { DescField } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import type { FieldRules } from "@roundtrip/contract/declared-rules";

/** Of a text, and bytes of a field of bytes. */
export const maxTextCharacters = 65_536;
/** Of a list or map. */
export const maxElements = 10_000;
/** In one answer or request. */
export const maxMessages = 20_000;
/** Texts, numbers and other values in one answer or request. */
export const maxValues = 200_000;
/** Characters and bytes in one answer or request. */
export const maxCharacters = 2_097_152;

const advice = "answer it with a stub or a handler";

/** The error for a message that is more than is made up. */
export function tooMuch(what: string): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `${what}: ${advice}`);
}

/** The error for a message that no value makes valid. */
export function impossible(what: string): CallError {
  return new CallError("FAILED_PRECONDITION", what);
}

type Rules = object | undefined;

/** The greatest or least of some rules, each a number; undefined without any. */
function figure(rules: Rules, names: readonly string[], choose: (...figures: number[]) => number): number | undefined {
  const given = names.filter((name) => rules !== undefined && Object.hasOwn(rules, name));
  if (given.length === 0) return undefined;
  return choose(...given.map((name) => Number((rules as Readonly<Record<string, unknown>>)[name])));
}

interface Size {
  readonly least: readonly string[];
  readonly most: readonly string[];
  readonly unit: string;
  readonly limit: number;
}

const sizes: Readonly<Record<string, Size>> = {
  string: {
    least: ["len", "lenBytes", "minLen", "minBytes"],
    most: ["len", "lenBytes", "maxLen", "maxBytes"],
    unit: "characters",
    limit: maxTextCharacters,
  },
  bytes: { least: ["len", "minLen"], most: ["len", "maxLen"], unit: "bytes", limit: maxTextCharacters },
  repeated: { least: ["minItems"], most: ["maxItems"], unit: "items", limit: maxElements },
  map: { least: ["minPairs"], most: ["maxPairs"], unit: "entries", limit: maxElements },
};

function isFixed(rules: object): boolean {
  const { in: allowed, example } = rules as { readonly in?: readonly unknown[]; readonly example?: readonly unknown[] };
  return Object.hasOwn(rules, "const") || (allowed ?? []).length > 0 || (example ?? []).length > 0;
}

/** Why no value can be made up by the rules of a field's type; undefined if one can. */
function errorOfType(where: string, { type }: FieldRules): CallError | undefined {
  if (type.case === undefined) return undefined;
  const rules: object = type.value;
  const size = sizes[type.case];
  if (size === undefined || isFixed(rules)) return undefined;
  const least = figure(rules, size.least, Math.max) ?? 0;
  const most = figure(rules, size.most, Math.min) ?? Number.POSITIVE_INFINITY;
  if (least > most)
    return impossible(`${where} needs at least ${least} and at most ${most} ${size.unit}: change its rules`);
  if (least > size.limit)
    return tooMuch(`${where} needs at least ${least} ${size.unit}, and a fake makes up at most ${size.limit}`);
  if (least === 0) return undefined;
  const inner =
    type.case === "repeated" ? [type.value.items] : type.case === "map" ? [type.value.keys, type.value.values] : [];
  return inner.map((of) => of && errorOfType(where, of)).find((error) => error !== undefined);
}

/** Why no value of a field can be made up; undefined if one can. */
export function fieldError({ parent, name }: DescField, rules: FieldRules | undefined): CallError | undefined {
  return rules === undefined ? undefined : errorOfType(`${parent.typeName}.${name}`, rules);
}

/** What has been made up so far of one answer or request. */
export class Made {
  messages = 0;
  #values = 0;
  #characters = 0;

  /** Counts a value, and returns it. Throws RESOURCE_EXHAUSTED beyond the limits. */
  add<T>(value: T): T {
    this.#values += 1;
    if (typeof value === "string" || value instanceof Uint8Array) this.#characters += value.length;
    if (this.#values > maxValues) throw tooMuch(`its rules demand more than ${maxValues} values`);
    if (this.#characters > maxCharacters) throw tooMuch(`its rules demand more than ${maxCharacters} characters`);
    return value;
  }

  /** Counts a message. Throws RESOURCE_EXHAUSTED beyond the limit. */
  addMessage(): void {
    this.messages += 1;
    if (this.messages > maxMessages) throw tooMuch(`its rules demand more than ${maxMessages} messages`);
  }
}
