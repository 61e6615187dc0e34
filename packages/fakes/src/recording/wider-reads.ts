// Reads that bring more than another one: what was recorded of a read without a mask, or with a wider one, holds what a read with a mask asks
// for. Styles ask differently for the same: GraphQL names the fields that it selects, and REST seldom names any.
import { isObject } from "@roundtrip/contract";
import { clone, create, fromJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema, type FieldMask } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import { insideOf, readMasks, type Reading } from "../resources/masks.ts";
import type { Stub } from "../stubs/stub.ts";

/** A read that brings at least as much as another, and what makes the other's answer of its own. */
export interface WiderRead {
  readonly request: Message;
  readonly read: Reading;
}

/** Those that may have been recorded, the widest first. Throws INVALID_ARGUMENT for a mask that leads nowhere. */
export type WiderReads = (request: Message) => readonly WiderRead[];

const none: WiderReads = () => [];

function isEverything(paths: readonly string[]): boolean {
  return paths.length === 0 || paths.includes("*");
}

function names(path: string, asked: string): boolean {
  return asked === path || asked.startsWith(`${path}.`);
}

/** The paths of the masks that recorded requests had. */
function recordedMasks({ id, readMask }: Operation, recorded: readonly Stub[]): readonly (readonly string[])[] {
  const masks = new Map<string, readonly string[]>();
  for (const { operation, when } of recorded) {
    if (operation !== id || readMask === undefined || !isObject(when)) continue;
    const asked: JsonValue = when[readMask.jsonName] ?? when[readMask.name] ?? "";
    if (typeof asked !== "string") continue;
    const { paths } = fromJson(FieldMaskSchema, asked);
    masks.set(paths.join(), isEverything(paths) ? [] : paths);
  }
  return [...masks.values()].toSorted((one, other) => (one.length === 0 ? -1 : other.length - one.length));
}

/** The same request with another mask; none at all for no paths. */
function withMask(input: DescMessage, mask: string, request: Message, paths: readonly string[]): Message {
  const copy = clone(input, request);
  (copy as unknown as Record<string, unknown>)[mask] =
    paths.length === 0 ? undefined : create(FieldMaskSchema, { paths: [...paths] });
  return copy;
}

/** What reads of an operation are narrower than what was recorded of it; none of an operation without a mask. */
export function widerReads(operation: Operation, recorded: readonly Stub[]): WiderReads {
  const { input, output, readMask } = operation;
  if (readMask === undefined) return none;
  const masks = recordedMasks(operation, recorded);
  if (masks.length === 0) return none;
  const inside = insideOf(operation);
  const readingOf = readMasks(operation, inside);
  const everything = (inside?.message ?? output).fields.map(({ name }) => name);
  return (request) => {
    const given = (request as unknown as Readonly<Record<string, FieldMask | undefined>>)[readMask.localName];
    const read = readingOf(request);
    const asked = given === undefined || isEverything(given.paths) ? everything : given.paths;
    return masks
      .filter((paths) => paths.length === 0 || asked.every((one) => paths.some((path) => names(path, one))))
      .map((paths) => ({ request: withMask(input, readMask.localName, request, paths), read }));
  };
}
