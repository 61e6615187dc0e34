// How many levels of messages a value needs at least, so that a type which requires one of several messages ends.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { containsType, cyclesBy, maxNesting } from "@roundtrip/contract";
import { exclusiveGroups, isRequiredOneof } from "@roundtrip/contract/declared-rules";
import { isRequiredField } from "./rules.ts";

/** Fields of which every valid message has one. */
type Alternatives = readonly DescField[];

function requiredOf(message: DescMessage): readonly Alternatives[] {
  return [
    ...message.fields.filter((field) => field.oneof === undefined && isRequiredField(field)).map((field) => [field]),
    ...message.oneofs.filter(isRequiredOneof).map(({ fields }) => fields),
    ...exclusiveGroups(message)
      .filter(({ isRequired }) => isRequired)
      .map(({ fields }) => fields),
  ];
}

const known = new WeakMap<DescMessage, number>();

/** One of the things that a type requires, and whether a message for it is known. */
interface Need {
  readonly type: DescMessage;
  isMet: boolean;
}

/** The types without a depth that a type leads to. */
function newTypes(message: DescMessage): ReadonlySet<DescMessage> {
  const types = new Set([message]);
  // The loop also visits types that it adds.
  for (const { fields } of types)
    for (const { message: inner } of fields) if (inner !== undefined && !known.has(inner)) types.add(inner);
  return types;
}

/**
 * Computes the depth of a type and of all types in it, each once. It is infinite if no message of the type is valid. The types of each depth come
 * before those of the next: a type follows the last of its needs that is met, each by the first of its alternatives.
 */
function addDepths(message: DescMessage): void {
  const types = newTypes(message);
  const open = new Map<DescMessage, number>();
  const needsFor = new Map<DescMessage, Need[]>();
  const byDepth: Set<DescMessage>[] = [];
  const place = (type: DescMessage, depth: number): void => void (byDepth[depth] ??= new Set()).add(type);
  for (const type of types) {
    const needs = requiredOf(type).filter((alternatives) => alternatives.every(({ message: inner }) => inner));
    open.set(type, needs.length);
    known.set(type, Number.POSITIVE_INFINITY);
    if (needs.length === 0) place(type, 1);
    for (const alternatives of needs) {
      const need = { type, isMet: false };
      for (const { message: inner } of alternatives) {
        if (inner === undefined) continue;
        const all = needsFor.get(inner) ?? [];
        needsFor.set(inner, all);
        all.push(need);
        const depth = types.has(inner) ? Number.POSITIVE_INFINITY : (known.get(inner) ?? 0);
        if (depth < Number.POSITIVE_INFINITY) place(inner, depth);
      }
    }
  }
  for (let depth = 0; depth < byDepth.length; depth++) {
    for (const type of byDepth[depth] ?? []) {
      known.set(type, depth);
      for (const need of needsFor.get(type) ?? []) {
        if (need.isMet) continue;
        need.isMet = true;
        const more = (open.get(need.type) ?? 0) - 1;
        open.set(need.type, more);
        if (more === 0) place(need.type, depth + 1);
      }
    }
  }
}

/** The levels of messages that a message of a type has at least. */
export function depthOf(message: DescMessage): number {
  if (!known.has(message)) addDepths(message);
  return known.get(message) ?? 0;
}

/** Whether there is a message of a type that protobuf libraries read. */
export function isPossibleMessage(message: DescMessage): boolean {
  return depthOf(message) <= maxNesting;
}

/** The levels of messages that a value of a field needs at least: 0 for a scalar. */
export function depthInside({ message }: DescField): number {
  return message === undefined ? 0 : depthOf(message);
}

/** Those of google.protobuf are made as JSON values, which styles carry whole. */
function typesInside({ fields }: DescMessage): readonly DescMessage[] {
  return fields.flatMap(({ message }) =>
    message === undefined || message.typeName.startsWith("google.protobuf.") ? [] : [message],
  );
}

const cycleOf = cyclesBy(typesInside);

/** Whether a type, or one in it, contains itself. */
export const isRecursive = containsType((message) => cycleOf(message) !== undefined, typesInside);
