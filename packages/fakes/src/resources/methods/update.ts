// Updates a resource (AIP-134): the fields of the mask; without a mask, the set fields; with PUT, all fields.
import { clone, type DescMessage, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { answerWith, type MethodOf, type ResourceMethod } from "./method.ts";
import { keyReader, resourceField, writeKey } from "../keys.ts";
import { copyOutputOnly, requireUnchanged } from "../field-behaviors.ts";
import { copyMasked, maskTree, type MaskedFields } from "../masks.ts";
import { flagProperty, maskProperty } from "../properties.ts";
import { parentText, type Resource } from "../resource.ts";
import { notFound, outdated } from "../resource-errors.ts";
import { broughtBy, creation } from "./create.ts";

const whole: MaskedFields = new Map();

/** The fields of a message, each as a whole. */
function everything(desc: DescMessage): MaskedFields {
  return new Map(desc.fields.map((field) => [field, whole]));
}

function populated(desc: DescMessage, message: Message): MaskedFields {
  const values = reflect(desc, message, false);
  return new Map(desc.fields.filter((field) => values.isSet(field)).map((field) => [field, whole]));
}

function writtenBy({ resource, operation }: MethodOf): (request: Message, change: Message) => MaskedFields {
  const { message: desc } = resource;
  const mask = maskProperty(operation.input, ["update_mask", "field_mask", "mask"]);
  const all = everything(desc);
  const isWhole = operation.bindings[0].method === "PUT" && resourceField(operation.input, resource) !== undefined;
  return (request, change) => {
    const given = mask?.read(request);
    if (mask === undefined || given === undefined || given.paths.length === 0) {
      return isWhole && mask === undefined ? all : populated(desc, change);
    }
    return maskTree(desc, given, mask.name) ?? all;
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
  const isTrial = flagProperty(operation.input, ["validate_only", "dry_run"]);
  const mayCreate = flagProperty(operation.input, ["allow_missing"]);
  const answer = answerWith(model.maker, resource, operation);
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      const key = readKey(request);
      const change = brought(request);
      const tree = written(request, change);
      const entry = store.find(key);
      if (entry === undefined) {
        if (!mayCreate(request)) throw notFound(resource, key);
        const given = { parent: parentText(resource, key), own: key.at(-1) ?? "" };
        return answer(put(state, change, given, isTrial(request)), request);
      }
      if (!kept.isCurrent(change, entry.message)) throw outdated(resource, key);
      const after = changed(resource, entry.message, change, tree);
      writeKey(resource, after, key);
      kept.fillChanged(after, entry.message, { key, version: entry.version + 1, timeMs: state.nextTimeMs() });
      if (!isTrial(request)) store.replace(key, after);
      return answer(after, request);
    };
  };
};
