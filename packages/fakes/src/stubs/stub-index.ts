// Finds the stub for a request: of thousands, as in a recording, only those are compared that require one of the request's values.
import type { DescField, Message } from "@bufbuild/protobuf";
import type { Metadata } from "@roundtrip/contract";

type Fields = Readonly<Record<string, unknown>>;

/** Reads a field's value; undefined for an unset field with presence, and for other members of a oneof. */
export function valueOf(field: DescField): (message: Message) => unknown {
  const { localName, oneof } = field;
  if (oneof === undefined) return (message) => (message as unknown as Fields)[localName];
  return (message) => {
    const chosen = (message as unknown as Fields)[oneof.localName] as {
      readonly case?: string;
      readonly value?: unknown;
    };
    return chosen.case === localName ? chosen.value : undefined;
  };
}

/** A value that a field must have and that can be looked up. */
export interface AskedValue {
  readonly field: DescField;
  readonly value: unknown;
}

/** Something that an index can find. */
export interface Findable {
  readonly matches: (request: Message, metadata: Metadata) => boolean;
  /** Undefined if it requires no such value. */
  readonly asks: AskedValue | undefined;
}

/** Finds the first match; undefined if there is none. */
export type Find<T> = (request: Message, metadata: Metadata) => T | undefined;

/** For fewer stubs, a search is faster than a lookup. */
const fewest = 8;

interface Indexed<T> {
  readonly position: number;
  readonly item: T;
}

/** The positions of stubs that require a value of one field, by that value. */
interface FieldIndex<T> {
  readonly read: (message: Message) => unknown;
  readonly byValue: Map<unknown, Indexed<T>[]>;
}

function firstOf<T extends Findable>(
  indexed: readonly Indexed<T>[] | undefined,
  ...[request, metadata]: Parameters<Find<T>>
): Indexed<T> | undefined {
  return indexed?.find(({ item }) => item.matches(request, metadata));
}

/** An index of these stubs, which keep their order. */
export function stubIndex<T extends Findable>(all: readonly T[]): Find<T> {
  if (all.length < fewest) return (...call) => all.find(({ matches }) => matches(...call));
  const withoutValue: Indexed<T>[] = [];
  const fields = new Map<DescField, FieldIndex<T>>();
  for (const [position, item] of all.entries()) {
    if (item.asks === undefined) {
      withoutValue.push({ position, item });
      continue;
    }
    const { field, value } = item.asks;
    const index = fields.get(field) ?? { read: valueOf(field), byValue: new Map<unknown, Indexed<T>[]>() };
    fields.set(field, index);
    const same = index.byValue.get(value) ?? [];
    index.byValue.set(value, same);
    same.push({ position, item });
  }
  const indexes = [...fields.values()];
  return (request, metadata) => {
    let first = firstOf(withoutValue, request, metadata);
    for (const { read, byValue } of indexes) {
      const found = firstOf(byValue.get(read(request)), request, metadata);
      if (found !== undefined && (first === undefined || found.position < first.position)) first = found;
    }
    return first?.item;
  };
}
