// What functions of CEL expressions cost, in visited elements, by what they are given.
import { isReflectMessage } from "@bufbuild/protobuf/reflect";

/** Characters of text, or bytes, that are read in the time of one visited element. */
const charactersPerUnit = 64;

/** Elements of a list or a map; for text and bytes a share of an element per character. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length / charactersPerUnit;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / charactersPerUnit;
  const size = "size" in value ? value.size : 0;
  return typeof size === "number" ? size : 0;
}

/** The same with all that lists and messages hold. */
function deepSizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return sizeOf(value);
  const held: Iterable<unknown> = Symbol.iterator in value ? (value as Iterable<unknown>) : Object.values(value);
  let sum = 1;
  for (const each of isReflectMessage(value) ? Object.values(value.message) : held) sum += 1 + deepSizeOf(each);
  return sum;
}

/** What a call costs by its target, undefined for a function without one, and its arguments. It runs with every call in a loop, and allocates nothing. */
type Cost = (target: unknown, args: readonly unknown[]) => number;

const sizes: Cost = (target, args) => {
  let sum = 1 + sizeOf(target);
  for (const arg of args) sum += sizeOf(arg);
  return sum;
};

/** Values are compared until they differ, and faster than elements are visited. */
const compared: Cost = (target, args) => {
  let sum = 1 + deepSizeOf(target) / 8;
  for (const arg of args) sum += deepSizeOf(arg) / 8;
  return sum;
};

/** Functions whose cost is more than in proportion to what they are given: they are charged outside of loops too. */
const steepCosts: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  // Compares each element with each.
  ["unique", (list) => 1 + sizeOf(list) ** 2 / 32],
  // Each character of a text may become another text.
  ["replace", (text, [, by]) => 1 + (1 + sizeOf(text) * charactersPerUnit) * (1 + sizeOf(by))],
]);

const costs: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...steepCosts,
  // Regular expressions are interpreted, at some hundred nanoseconds a character.
  ["matches", (target, args) => sizes(target, args) * (charactersPerUnit / 4)],
  // A list knows its size; characters of a text are counted.
  ["size", (target, [value = target]) => (typeof value === "string" ? sizeOf(value) : 0)],
  // Joined lists are kept one in the other, as deep as `map` and `filter` have joined them.
  ["_+_", (target, args) => sizes(target, args) / 16],
  ["_==_", compared],
  ["_!=_", compared],
  ["@in", compared],
  ["join", compared],
]);

/** How to charge for a function; undefined where it is in proportion to the message, once. */
export function costOf(name: string, isInLoop: boolean): Cost | undefined {
  return isInLoop ? (costs.get(name) ?? sizes) : steepCosts.get(name);
}
