// Methods that are not standard but identify a resource by its key: reads and writes of single fields, renames, and custom methods (AIP-136).
// They read and write the same resources as the standard methods.
import { clone, type DescField, type Message } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence as Presence, MethodOptions_IdempotencyLevel as Level } from "@bufbuild/protobuf/wkt";
import { reflect } from "@bufbuild/protobuf/reflect";
import { hasBehavior } from "@roundtrip/contract/field-rules";
import { isKeyField, nounAfter, type Resource } from "@roundtrip/contract/resources";
import { answerWith } from "./answer.ts";
import type { MethodOf, ResourceMethod } from "./method.ts";
import { copyField, sharedFields } from "../../answers/echoed.ts";
import { hasReached, stateEvents } from "../../answers/life-cycle.ts";
import { isRequiredField } from "../../answers/rules.ts";
import { keyReader, writeKey } from "../keys.ts";
import { insideOf, readMasks } from "../masks.ts";
import { alreadyIn, type Key } from "../resource.ts";
import { isTime, setTime } from "../service-fields.ts";
import { leadsBack, shortName, stateAfter, stateFields } from "../states.ts";

/** Fields of a request, with the resource's fields that they set. */
function writtenFields({ resource, operation }: MethodOf): readonly (readonly [DescField, DescField])[] {
  const { message: desc, key } = resource;
  const keyNames = new Set(key.flatMap(({ name, aliases }) => [name, ...aliases]));
  return sharedFields(operation.input, desc).filter(([{ name }]) => !keyNames.has(name));
}

/** The field of a request with another key for the resource: `new_id` beside `id`. */
function newKeyReader({ key }: Resource, { operation }: MethodOf): ((request: Message) => string) | undefined {
  const last = key.at(-1);
  const field = operation.input.fields.find(
    ({ name }) => last !== undefined && [last.name, ...last.aliases].some((alias) => name === `new_${alias}`),
  );
  if (field === undefined || !isKeyField(field) || field.scalar !== last?.scalar) return undefined;
  const { localName } = field;
  return (request) =>
    String((request as unknown as Readonly<Record<string, string | number | bigint>>)[localName] ?? "");
}

/** Whether a contract that marks writes which may be repeated does not mark this one. */
function isOnce({ model, operation: { method } }: MethodOf): boolean {
  const { file } = method.parent;
  const own = model.contract.operations.filter(
    (operation) => operation.method.parent.file.proto.package === file.proto.package,
  );
  return (
    method.idempotency !== Level.IDEMPOTENT &&
    own.some((operation) => operation.method.idempotency === Level.IDEMPOTENT)
  );
}

/**
 * Sets the state that a custom method leads to, and the time of its event, unless a caller has sent it; those of events that had been and are ahead
 * again are cleared. Undefined if it leads to none. Throws FAILED_PRECONDITION where that may not be repeated.
 */
function stateSetter(method: MethodOf): ((message: Message, key: Key, timeMs: number) => void) | undefined {
  const { model, resource, operation } = method;
  const after = stateAfter(model.contract, resource.message, operation);
  if (after === undefined) return undefined;
  const { field, value } = after;
  const once = isOnce(method);
  const isMain = stateFields(resource.message)[0] === field;
  const events = isMain ? stateEvents(resource.message).filter((event) => isTime(event.field)) : [];
  return (message, key, timeMs) => {
    const writing = reflect(resource.message, message, false);
    const before = field.enum.value[writing.get(field)];
    if (once && before?.number === value.number) throw alreadyIn(resource, key, shortName(value));
    writing.set(field, value.number);
    for (const event of events) {
      // Before its event, a time is one that a caller plans.
      const hasBeen = before !== undefined && hasReached(before, event.value);
      const isOwn = hasBeen || hasBehavior(event.field, "output-only");
      const isReached = event.value.number === value.number;
      if (isReached && (isOwn || !writing.isSet(event.field))) setTime(writing, event.field, timeMs);
      const isAhead =
        event.value.number > value.number || (leadsBack(operation) && event.value.number === before?.number);
      if (!isReached && isOwn && isAhead && !isRequiredField(event.field)) writing.clear(event.field);
    }
  };
}

function isRead({ operation }: MethodOf): boolean {
  return (
    operation.sideEffects === "none" ||
    operation.bindings[0].method === "GET" ||
    nounAfter("get", operation.method.name) !== undefined
  );
}

export const attributeMethod: ResourceMethod = (method) => {
  const { model, resource, operation, kept } = method;
  const { message: desc } = resource;
  const { input } = operation;
  const readKey = keyReader(input, resource);
  if (readKey === undefined) return undefined;
  const answer = answerWith({ model, resource, operation });
  if (isRead(method)) {
    const masks = readMasks(operation, insideOf(operation));
    return (state) => {
      const store = state.storeOf(resource);
      return (request: Message) => {
        const read = masks(request);
        return read(answer(state, store.get(readKey(request)).message, request));
      };
    };
  }
  const fields = writtenFields(method);
  const newKey = newKeyReader(resource, method);
  const becomes = stateSetter(method);
  const isSetter = nounAfter("update", operation.method.name) !== undefined;
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      const key = readKey(request);
      const before = store.get(key);
      if (fields.length === 0 && newKey === undefined && becomes === undefined)
        return answer(state, before.message, request);
      const after = clone(desc, before.message);
      const reading = reflect(input, request, false);
      const writing = reflect(desc, after, false);
      for (const [from, to] of fields) {
        // A setter of a field without presence sets it even to its zero value.
        if (reading.isSet(from) || (isSetter && from.presence === Presence.IMPLICIT))
          copyField(reading, from, writing, to);
      }
      const timeMs = state.nextTimeMs();
      kept.fillChanged(after, before.message, { key, version: before.version + 1, timeMs });
      becomes?.(after, key, timeMs);
      if (newKey === undefined) store.replace(key, after);
      else {
        const renamed = [...key.slice(0, -1), newKey(request)];
        writeKey(resource, after, renamed);
        store.rename(key, renamed, after);
      }
      return answer(state, after, request);
    };
  };
};
