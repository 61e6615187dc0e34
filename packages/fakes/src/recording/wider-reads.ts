// Finds reads that return at least as much as another read: a recorded read without a mask, or with a wider one, contains the answer to a read with
// a narrower mask. Styles differ in this: GraphQL always names the selected fields, REST seldom does.
import { isObject } from "@roundtrip/contract";
import { clone, create, fromJson, type DescMessage, type JsonValue, type Message } from "@bufbuild/protobuf";
import { FieldMaskSchema, type FieldMask } from "@bufbuild/protobuf/wkt";
import type { Operation } from "@roundtrip/contract";
import { insideOf, readMasks, type Reading } from "../resources/masks.ts";
import type { Stub } from "../stubs/stub.ts";

/** A wider read, and how to reduce its answer to that of the narrower one. */
export interface WiderRead {
  readonly request: Message;
  readonly read: Reading;
}

/** The wider reads that may have been recorded, the widest first. Throws INVALID_ARGUMENT for a mask with unknown fields. */
export type WiderReads = (request: Message) => readonly WiderRead[];

const none: WiderReads = () => [];

function isEverything(paths: readonly string[]): boolean {
  return paths.length === 0 || paths.includes("*");
}

function names(path: string, asked: string): boolean {
  return asked === path || asked.startsWith(`${path}.`);
}

/** The paths of the masks of recorded requests. */
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

/** The same request with another mask; without a mask if there are no paths. */
function withMask(input: DescMessage, mask: string, request: Message, paths: readonly string[]): Message {
  const copy = clone(input, request);
  (copy as unknown as Record<string, unknown>)[mask] =
    paths.length === 0 ? undefined : create(FieldMaskSchema, { paths: [...paths] });
  return copy;
}

/** Finds the wider reads of an operation among recorded stubs; none if the operation has no mask. */
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
