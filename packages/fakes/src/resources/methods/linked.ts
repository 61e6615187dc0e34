// Fills an answer around a resource with what else is stored: what belongs to the resource, and what all of that refers to.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { bytesInMemory, type Operation, requireListable, typesIn } from "@roundtrip/contract";
import type { Resource } from "@roundtrip/contract/resources";
import { countsIn } from "../../answers/coherent.ts";
import { ownPart } from "../keys.ts";
import { integerProperty } from "../request-properties.ts";
import type { ResourceModel } from "../resource-model.ts";
import { type Key, keyText } from "../resource.ts";
import { byOrder, type SessionState } from "../session-state.ts";
import { defaultPageSize, entriesBelow, maxPageSize } from "./list.ts";
import { listNames } from "./list-request.ts";

/** Fills the answer of a request about a resource. */
export type Link = (state: SessionState, about: Message, request: Message, answer: Message) => void;

/** Finds messages for a field. @param known the messages in the answer that are stored */
type Find = (state: SessionState, about: Message, known: readonly ReflectMessage[]) => readonly Message[];

/** The values of all fields of this kind in a message and inside it, as text. */
function* keysIn(message: ReflectMessage, isWanted: (field: DescField) => boolean): Generator<string> {
  for (const field of message.fields) {
    if (!message.isSet(field) || field.fieldKind === "map") continue;
    const value: unknown = message.get(field);
    for (const item of field.fieldKind === "list" ? (value as Iterable<unknown>) : [value]) {
      if (field.message !== undefined) yield* keysIn(item as ReflectMessage, isWanted);
      else if (isWanted(field)) yield String(item);
    }
  }
}

function keyOf({ key }: Resource, message: Message): Key {
  return key.map((part) => String(ownPart(part, message) ?? ""));
}

function contain(types: readonly DescMessage[], isWanted: (field: DescField) => boolean): boolean {
  return [...typesIn(types)].some(({ fields }) => fields.some(isWanted));
}

/** What belongs to a resource by its name or by a reference, in the order of its list; undefined for what never does. */
function findBelow(model: ResourceModel, parent: Resource, child: Resource): Find | undefined {
  const { message: desc } = child;
  const method = { model, resource: child };
  if (model.childrenOf(parent).includes(child)) {
    return (state, about) => {
      const key = keyOf(parent, about);
      // What was deleted, or only validated, is not there.
      if (state.storeOf(parent).find(key) === undefined) return [];
      return entriesBelow(method, state, keyText(key)).map(({ message }) => message);
    };
  }
  const refers = (field: DescField): boolean => model.referred(field) === parent;
  if (!contain([desc], refers)) return undefined;
  return (state, about) => {
    const [key] = keyOf(parent, about);
    const all = entriesBelow(method, state, undefined).map(({ message }) => message);
    return all.filter((message) => [...keysIn(reflect(desc, message, false), refers)].some((text) => text === key));
  };
}

/** What messages of these types refer to, each once and in the order of its list; undefined if they never do. */
function findReferred(model: ResourceModel, from: readonly DescMessage[], resource: Resource): Find | undefined {
  const refers = (field: DescField): boolean => model.referred(field) === resource;
  if (!contain(from, refers)) return undefined;
  return (state, _about, known) => {
    const keys = new Set(known.flatMap((message) => [...keysIn(message, refers)]));
    const found = [...keys].map((key) => state.storeOf(resource).find([key])).filter((entry) => entry !== undefined);
    return found.toSorted(byOrder).map(({ message }) => message);
  };
}

/** How many resources in a list a request asks for: the last ones of the store, because no page follows. */
function countReader({ input, output }: Operation, list: DescField): (request: Message) => number {
  const count = countsIn(input, output).find(([, counted]) => counted === list)?.[0];
  const read = integerProperty(input, count === undefined ? listNames.size : [count.name]) ?? (() => 0);
  return (request) => {
    const asked = read(request);
    return asked > 0 ? Math.min(asked, maxPageSize) : defaultPageSize;
  };
}

/** A field of an answer, and what it is filled with. */
interface Step {
  readonly field: DescField;
  readonly find: Find;
  readonly countOf: (request: Message) => number;
}

/** What fills the fields of an answer, in this order: what belongs to the resource, then what the fields before refer to. Others stay made up. */
function stepsOf(model: ResourceModel, resource: Resource, operation: Operation, own: readonly DescField[]): Step[] {
  const steps: Step[] = [];
  const open = new Map(
    operation.output.fields.flatMap((field) => {
      const stored = model.resources.find(({ message }) => message === field.message);
      const isFilled = field.fieldKind !== "map" && field.oneof === undefined && !own.includes(field);
      return isFilled && stored !== undefined ? [[field, stored] as const] : [];
    }),
  );
  const types = [resource.message];
  const fill = (
    find: (stored: Resource) => Find | undefined,
    countOf: (field: DescField) => Step["countOf"],
  ): boolean => {
    const { size } = open;
    for (const [field, stored] of open) {
      const found = find(stored);
      if (found === undefined) continue;
      steps.push({ field, find: found, countOf: countOf(field) });
      types.push(stored.message);
      open.delete(field);
    }
    return open.size < size;
  };
  fill(
    (stored) => findBelow(model, resource, stored),
    (field) => countReader(operation, field),
  );
  while (
    fill(
      (stored) => findReferred(model, types, stored),
      () => () => Infinity,
    )
  );
  return steps;
}

/** @param own the fields of the answer that the resource itself fills */
export function linking(
  model: ResourceModel,
  resource: Resource,
  operation: Operation,
  own: readonly DescField[],
): Link {
  const steps = stepsOf(model, resource, operation, own);
  return (state, about, request, answer) => {
    const known = [reflect(resource.message, about, false)];
    for (const { field, find, countOf } of steps) {
      const found = find(state, about, known).slice(-countOf(request));
      requireListable(found, bytesInMemory);
      known.push(...found.map((message) => reflect(field.message as DescMessage, message, false)));
      (answer as unknown as Record<string, unknown>)[field.localName] = field.fieldKind === "list" ? found : found[0];
    }
  };
}
