// Finds the stub that is about a request: of thousands, as a recording has them, only those are looked at that ask for a value that is there.
import type { DescField, Message } from "@bufbuild/protobuf";
import { valueOf } from "./field-value.ts";

/** A value that a field has to have: one that is compared by itself, and can be looked up. */
export interface AskedValue {
  readonly field: DescField;
  readonly value: unknown;
}

/** What can be found by an index. */
export interface Findable {
  readonly matches: (request: Message) => boolean;
  /** Undefined for what asks for no such value. */
  readonly asks: AskedValue | undefined;
}

/** Finds the first that matches; undefined when none does. */
export type Find<T> = (request: Message) => T | undefined;

/** Fewer are looked through faster than looked up. */
const fewest = 8;

interface Placed<T> {
  readonly place: number;
  readonly one: T;
}

/** The places of those that ask for a value of one field, by that value. */
interface FieldIndex<T> {
  readonly read: (message: Message) => unknown;
  readonly byValue: Map<unknown, Placed<T>[]>;
}

function firstOf<T extends Findable>(
  placed: readonly Placed<T>[] | undefined,
  request: Message,
): Placed<T> | undefined {
  return placed?.find(({ one }) => one.matches(request));
}

/** An index of these, which stay in their order. */
export function stubIndex<T extends Findable>(all: readonly T[]): Find<T> {
  if (all.length < fewest) return (request) => all.find(({ matches }) => matches(request));
  const unasking: Placed<T>[] = [];
  const fields = new Map<DescField, FieldIndex<T>>();
  for (const [place, one] of all.entries()) {
    if (one.asks === undefined) {
      unasking.push({ place, one });
      continue;
    }
    const { field, value } = one.asks;
    const index = fields.get(field) ?? { read: valueOf(field), byValue: new Map<unknown, Placed<T>[]>() };
    fields.set(field, index);
    const same = index.byValue.get(value) ?? [];
    index.byValue.set(value, same);
    same.push({ place, one });
  }
  const indexes = [...fields.values()];
  return (request) => {
    let first = firstOf(unasking, request);
    for (const { read, byValue } of indexes) {
      const found = firstOf(byValue.get(read(request)), request);
      if (found !== undefined && (first === undefined || found.place < first.place)) first = found;
    }
    return first?.one;
  };
}
