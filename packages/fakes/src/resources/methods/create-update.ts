// Creates a resource (AIP-133) from the request, with the given key or the next free one; and updates one (AIP-134): the fields of the mask; without a
// mask, the set fields; with PUT, all fields.
import { clone, create, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { copyMasked, everyField, type MaskedFields, populatedFields, writeMask } from "@roundtrip/contract/field-masks";
import { hasBehavior, hasBehaviorInside } from "@roundtrip/contract/field-rules";
import { wholeRequestRules } from "@roundtrip/contract/service";
import { fieldOfPart, type Resource } from "@roundtrip/contract/resources";
import { suggestion } from "@roundtrip/contract/text";
import { Draw } from "../../answers/draw.ts";
import { copyField, sharedFields } from "../../answers/echoed.ts";
import { hasReached, stateEvents } from "../../answers/life-cycle.ts";
import { keyReader, ownPart, parentField, resourceField, writeKey } from "../keys.ts";
import { fits, type ResourceModel } from "../resource-model.ts";
import { flagProperty, maskProperty, shortProperty, textProperty, trialProperty } from "../request-properties.ts";
import {
  alreadyExists,
  hasAnyCollection,
  invalid,
  type Key,
  keyText,
  nameBelow,
  notFound,
  outdated,
  parentKey,
  parentText,
} from "../resource.ts";
import { copyOutputOnly, requireUnchanged } from "../service-fields.ts";
import { firstState, stateFields } from "../states.ts";
import type { SessionState } from "../session-state.ts";
import { answerWith } from "./answer.ts";
import type { MethodOf, ResourceMethod } from "./method.ts";
import { crc32 } from "node:zlib";

/** A copy of the resource in a request: its own message, or the fields that the request shares with it. */
function broughtBy({ resource, operation }: Pick<MethodOf, "resource" | "operation">): (request: Message) => Message {
  const { message: desc } = resource;
  const { input } = operation;
  const around = resourceField(input, resource);
  if (around !== undefined) {
    return (request) => {
      const sent = (request as unknown as Readonly<Record<string, Message | undefined>>)[around.localName];
      return sent === undefined ? create(desc) : clone(desc, sent);
    };
  }
  const shared = sharedFields(input, desc);
  return (request) => {
    const copy = clone(input, request);
    const message = create(desc);
    const reading = reflect(input, copy, false);
    const writing = reflect(desc, message, false);
    for (const [from, to] of shared) if (reading.isSet(from)) copyField(reading, from, writing, to);
    return message;
  };
}

/** Sets the fields of a new resource that the path names and the resource itself leaves unset: `POST /v1/cafes/{cafe_id}/tickets`. */
function locating({ resource, operation }: MethodOf): (request: Message, message: Message) => void {
  const { message: desc } = resource;
  const { input, bindings } = operation;
  const inPath = new Set(bindings[0].path.variables.map(({ fieldPath }) => fieldPath.join(".")));
  const own = new Set(resource.key.map(({ field }) => field));
  const located = sharedFields(input, desc).filter(([from, to]) => inPath.has(from.name) && !own.has(to));
  if (located.length === 0) return () => undefined;
  return (request, message) => {
    const reading = reflect(input, request, false);
    const writing = reflect(desc, message, false);
    for (const [from, to] of located) if (!writing.isSet(to)) copyField(reading, from, writing, to);
  };
}

/** The parts of a key in a request: the parent, and the last part if callers may choose it. */
interface GivenKey {
  readonly parent: string;
  readonly own: string;
}

function givenKeyOf({ model, resource, operation, kept }: MethodOf): (request: Message, message: Message) => GivenKey {
  const { key: parts, pattern, singular } = resource;
  const { input } = operation;
  const last = parts.at(-1);
  const chosen = textProperty(input, [`${singular}_id`, "resource_id"]);
  // The id in the URL takes precedence over the resource's own.
  const isPut = operation.bindings[0].path.variables.some(({ fieldPath }) => fieldPath.at(-1) === last?.field?.name);
  const own = (message: Message): string => {
    const value = last !== undefined && (kept.takesOwnKey || isPut) ? ownPart(last, message) : undefined;
    // Zero and the empty text mean that the service chooses the key.
    return value === undefined || value === 0 || value === 0n ? "" : shortProperty(last?.name ?? "", String(value));
  };
  if (pattern !== undefined) {
    const field = parentField(model.contract, operation, resource);
    const readParent = (field === undefined ? undefined : textProperty(input, [field.name])) ?? (() => "");
    const collection = textProperty(input, ["collection_id"]);
    return (request, message) => {
      const parent = readParent(request);
      const id = chosen?.(request) ?? "";
      return { parent, own: id === "" ? own(message) : nameBelow(resource, parent, id, collection?.(request)) };
    };
  }
  const above = keyReader(input, resource, parts.slice(0, -1)) ?? (() => []);
  const asked = last === undefined ? undefined : fieldOfPart(input, last);
  return (request, message) => {
    const id = asked === undefined ? (chosen?.(request) ?? "") : "";
    return { parent: keyText(above(request)), own: id === "" ? own(message) : id };
  };
}

/** Whether a name matches the pattern of the resource. */
function isNameOf(model: ResourceModel, resource: Resource, parent: string, name: string): boolean {
  const patterns = model.patternsOf(resource);
  if (patterns.length === 0) return true;
  const isLike = patterns.some((pattern) => {
    const more = name.split("/").length - pattern.length;
    const isLonger = more > 0 && more % 2 === 0 && hasAnyCollection({ pattern });
    return fits(pattern, isLonger ? name.split("/").slice(0, -more).join("/") : name);
  });
  return isLike && (parent === "" || name.startsWith(`${parent}/`));
}

/** Adds a new resource to a session. @returns the resource, also if it was only validated */
function creation(
  method: MethodOf,
): (state: SessionState, message: Message, key: GivenKey, isTrial: boolean) => Message {
  const { model, resource, kept } = method;
  const { message: desc } = resource;
  const type = crc32(desc.typeName);
  const states = stateFields(desc).map((field) => ({ field, first: firstState(model.contract, field) }));
  const events = stateEvents(desc);
  const begin = (message: Message): void => {
    const target = reflect(desc, message, false);
    for (const [at, { field, first }] of states.entries()) {
      // A caller may send its own state; those of parts are set where only the server sets them.
      const isOpen = hasBehavior(field, "output-only") || (at === 0 && !target.isSet(field));
      if (first !== undefined && isOpen) target.set(field, first.number);
    }
    const [own] = states;
    const state = own?.field.enum.value[target.get(own.field)];
    for (const { field, value } of events) {
      if (state && !hasReached(state, value) && hasBehavior(field, "output-only")) target.clear(field);
    }
  };
  return (state, message, { parent, own }, isTrial) => {
    const store = state.storeOf(resource);
    const madeUp = (number: number): Message =>
      model.maker.message(desc, new Draw([model.maker.seed, type, crc32(parent), -number]));
    let source: Message | undefined;
    let key: Key;
    if (own === "") {
      key = store.freeKey(parent, (number) => model.numberedKey(resource, parent, number, (source = madeUp(number))));
    } else {
      if (!isNameOf(model, resource, parent, own))
        throw invalid("name", `is not a valid name of a ${resource.singular}`);
      key = resource.pattern === undefined ? [...parentKey(resource, parent), own] : [own];
    }
    const write = { key, version: 1, timeMs: state.nextTimeMs() };
    writeKey(resource, message, key);
    const made = (): Message => (source ??= madeUp(crc32(keyText(key))));
    kept.fillNew(message, made, write);
    if (hasBehaviorInside(desc, "output-only")) copyOutputOnly(desc, made(), message);
    begin(message);
    state.setCounts(resource, key, message);
    if (!isTrial) store.add(key, message);
    else if (store.find(key) !== undefined) throw alreadyExists(resource, key);
    return message;
  };
}

export const createMethod: ResourceMethod = (method) => {
  const { model, resource, operation } = method;
  const brought = broughtBy(method);
  const locate = locating(method);
  const givenKey = givenKeyOf(method);
  const put = creation(method);
  const isTrial = trialProperty(operation.input);
  const answer = answerWith({ model, resource, operation });
  return (state) => (request: Message) => {
    const message = brought(request);
    locate(request, message);
    return answer(state, put(state, message, givenKey(request, message), isTrial(request)), request);
  };
};

function writtenBy({ resource, operation }: MethodOf): (request: Message, change: Message) => MaskedFields {
  const { message: desc } = resource;
  const mask = maskProperty(operation.input, ["update_mask", "field_mask", "mask"]);
  const all = everyField(desc);
  const isWhole = operation.bindings[0].method === "PUT" && resourceField(operation.input, resource) !== undefined;
  return (request, change) => {
    const sent = mask?.read(request);
    if (mask === undefined || sent === undefined || sent.paths.length === 0) {
      return isWhole && mask === undefined ? all : populatedFields(desc, change);
    }
    return writeMask(desc, sent, mask.name, suggestion) ?? all;
  };
}

/**
 * Changes a resource, but neither its key nor the fields that the service sets inside it. Throws INVALID_ARGUMENT if an immutable field would
 * change.
 */
function changed(resource: Resource, before: Message, change: Message, tree: MaskedFields): Message {
  const { message: desc } = resource;
  // Messages in it are copied too: copying a field of the change shares the message in it.
  const after = clone(desc, before);
  copyMasked(desc, tree, clone(desc, change), after);
  requireUnchanged(resource, before, after);
  copyOutputOnly(desc, before, after);
  return after;
}

export const updateMethod: ResourceMethod = (method) => {
  const { model, resource, operation, kept } = method;
  const readKey = keyReader(operation.input, resource);
  if (readKey === undefined) return undefined;
  const brought = broughtBy(method);
  const written = writtenBy(method);
  const put = creation(method);
  const isTrial = trialProperty(operation.input);
  const mayCreate = flagProperty(operation.input, ["allow_missing"]);
  const answer = answerWith({ model, resource, operation });
  const checkWhole = wholeRequestRules(model.contract);
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      const key = readKey(request);
      const change = brought(request);
      const tree = written(request, change);
      const entry = store.find(key);
      if (entry === undefined) {
        if (!mayCreate(request)) throw notFound(resource, key);
        // What the request creates needs more than what its mask names.
        checkWhole(operation.input, request);
        const requested = { parent: parentText(resource, key), own: key.at(-1) ?? "" };
        return answer(state, put(state, change, requested, isTrial(request)), request);
      }
      if (!kept.isCurrent(change, entry.message)) throw outdated(resource, key);
      const after = changed(resource, entry.message, change, tree);
      writeKey(resource, after, key);
      kept.fillChanged(after, entry.message, { key, version: entry.version + 1, timeMs: state.nextTimeMs() });
      state.setCounts(resource, key, after);
      if (!isTrial(request)) store.replace(key, after);
      return answer(state, after, request);
    };
  };
};
