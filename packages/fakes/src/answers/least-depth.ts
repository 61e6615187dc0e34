// How many levels of messages a value needs at least, so that a type which requires one of several messages ends.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { componentsOf } from "@roundtrip/contract";
import { exclusiveFields, isRequiredField, isRequiredOneof } from "./rules.ts";

type Depths = ReadonlyMap<DescMessage, number>;

function depthOf({ message }: DescField, depths: Depths): number {
  return message === undefined ? 0 : (depths.get(message) ?? 0);
}

/** One level more than the deepest member that every valid message has. */
function depthFrom(message: DescMessage, depths: Depths): number {
  const least = (fields: readonly DescField[]): number => Math.min(...fields.map((field) => depthOf(field, depths)));
  const single = message.fields.filter((field) => field.oneof === undefined && isRequiredField(field));
  const groups = [
    ...message.oneofs.filter(isRequiredOneof).map(({ fields }) => fields),
    ...exclusiveFields(message)
      .filter(({ required }) => required)
      .map(({ fields }) => message.fields.filter(({ name }) => fields.includes(name))),
  ];
  return 1 + Math.max(0, ...single.map((field) => depthOf(field, depths)), ...groups.map(least));
}

const known = new WeakMap<DescMessage, number>();

/** Computes the depth of a type and of all types in it. It is infinite if no message of the type is valid. */
function addDepths(message: DescMessage): void {
  const types = new Set([message]);
  // The loop also visits types that are added meanwhile.
  for (const { fields } of types) for (const { message: inner } of fields) if (inner !== undefined) types.add(inner);
  const depths = new Map([...types].map((type) => [type, Number.POSITIVE_INFINITY]));
  // Depths only shrink. Each pass settles one level more.
  for (let changed = true; changed;) {
    changed = false;
    for (const type of types) {
      const depth = depthFrom(type, depths);
      if (depth >= (depths.get(type) ?? 0)) continue;
      depths.set(type, depth);
      changed = true;
    }
  }
  for (const [type, depth] of depths) known.set(type, depth);
}

/** The levels of messages that a value of a field needs at least: 0 for a scalar. */
export function depthInside({ message }: DescField): number {
  if (message === undefined) return 0;
  if (!known.has(message)) addDepths(message);
  return known.get(message) ?? 0;
}

/** Those of google.protobuf are made as JSON values, which styles carry whole. */
function typesInside({ fields }: DescMessage): readonly DescMessage[] {
  return fields.flatMap(({ message }) =>
    message === undefined || message.typeName.startsWith("google.protobuf.") ? [] : [message],
  );
}

const recursive = new WeakMap<DescMessage, boolean>();

/** Whether a type, or one in it, contains itself. */
export function isRecursive(message: DescMessage): boolean {
  let found = recursive.get(message);
  if (found === undefined) {
    const components = componentsOf([message], typesInside);
    found = components.some(([first, ...others]) => others.length > 0 || (first && typesInside(first).includes(first)));
    recursive.set(message, found);
  }
  return found;
}
