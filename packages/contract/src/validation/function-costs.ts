// The cost of CEL functions for given arguments, in visited elements.
import { isReflectMessage } from "@bufbuild/protobuf/reflect";

/** How many characters or bytes can be read in the time of one visited element. */
const charactersPerUnit = 64;

/** The elements of a list or map; for text and bytes, a fraction of an element per character. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length / charactersPerUnit;
  if (typeof value !== "object" || value === null) return 0;
  if (value instanceof Uint8Array) return value.length / charactersPerUnit;
  const size = "size" in value ? value.size : 0;
  return typeof size === "number" ? size : 0;
}

/** The same, including the elements in lists and messages. */
function deepSizeOf(value: unknown): number {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return sizeOf(value);
  const held: Iterable<unknown> = Symbol.iterator in value ? (value as Iterable<unknown>) : Object.values(value);
  let sum = 1;
  for (const each of isReflectMessage(value) ? Object.values(value.message) : held) sum += 1 + deepSizeOf(each);
  return sum;
}

/** The cost of a call with this target (undefined for a function without one) and arguments. It runs for every call in a loop, so it allocates nothing. */
type Cost = (target: unknown, args: readonly unknown[]) => number;

const sizes: Cost = (target, args) => {
  let sum = 1 + sizeOf(target);
  for (const arg of args) sum += sizeOf(arg);
  return sum;
};

/** Comparison stops at the first difference and is faster than visiting elements. */
const compared: Cost = (target, args) => {
  let sum = 1 + deepSizeOf(target) / 8;
  for (const arg of args) sum += deepSizeOf(arg) / 8;
  return sum;
};

/** Functions whose cost is more than linear in their arguments: they also count outside loops. */
const steepCosts: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  // Compares every element with every other.
  ["unique", (list) => 1 + sizeOf(list) ** 2 / 32],
  // Each character can be replaced by a whole text.
  ["replace", (text, [, by]) => 1 + (1 + sizeOf(text) * charactersPerUnit) * (1 + sizeOf(by))],
]);

const costs: ReadonlyMap<string, Cost> = new Map<string, Cost>([
  ...steepCosts,
  // Regular expressions are interpreted, at about a hundred nanoseconds per character.
  ["matches", (target, args) => sizes(target, args) * (charactersPerUnit / 4)],
  // The size of a list is known; the characters of a text must be counted.
  ["size", (target, [value = target]) => (typeof value === "string" ? sizeOf(value) : 0)],
  // Joined lists are nested as deep as `map` and `filter` have joined them.
  ["_+_", (target, args) => sizes(target, args) / 16],
  ["_==_", compared],
  ["_!=_", compared],
  ["@in", compared],
  ["join", compared],
]);

/** The cost function of a CEL function; undefined if its cost is linear in the message and counts once. */
export function costOf(name: string, isInLoop: boolean): Cost | undefined {
  return isInLoop ? (costs.get(name) ?? sizes) : steepCosts.get(name);
}
