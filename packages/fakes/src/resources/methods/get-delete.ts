// Standard methods Get and Delete.
import { create, type Message } from "@bufbuild/protobuf";
import { bytesInMemory, requireListable } from "@roundtrip/contract";
import { answerWith } from "./answer.ts";
import type { ResourceMethod } from "./method.ts";
import { keyReader } from "../keys.ts";
import { flagProperty, textProperty, trialProperty } from "../request-properties.ts";
import { invalid, keyText, notEmpty, outdated } from "../resource.ts";
import { insideOf, readMasks } from "../masks.ts";

export const deleteMethod: ResourceMethod = ({ model, resource, operation }) => {
  const { input, output } = operation;
  const readKey = keyReader(input, resource);
  if (readKey === undefined) return undefined;
  const mayMiss = flagProperty(input, ["allow_missing"]);
  const isTrial = trialProperty(input);
  const asksForForce = input.fields.some(({ name }) => name === "force");
  const isForced = flagProperty(input, ["force"]);
  const etag = textProperty(input, ["etag"]) ?? (() => "");
  const ownEtag = textProperty(resource.message, ["etag"]) ?? (() => "");
  const answer = answerWith({ model, resource, operation });
  return (state) => {
    const store = state.storeOf(resource);
    const hasChildren = (parent: string): boolean =>
      model.childrenOf(resource).some((child) => {
        const below = state.storeOf(child);
        below.enter(parent);
        return below.sorted.some((entry) => entry.parent === parent);
      });
    return (request: Message) => {
      const key = readKey(request);
      const entry = store.find(key);
      if (entry === undefined && mayMiss(request)) return create(output);
      const { message } = store.get(key);
      if (etag(request) !== "" && etag(request) !== ownEtag(message)) throw outdated(resource, key);
      if (asksForForce && !isForced(request) && hasChildren(keyText(key))) {
        throw notEmpty(resource, key);
      }
      if (!isTrial(request)) {
        state.removeBelow(resource, key);
        store.remove(key);
      }
      return answer(state, message, request);
    };
  };
};

export const getMethod: ResourceMethod = ({ model, resource, operation }) => {
  const readKey = keyReader(operation.input, resource);
  if (readKey === undefined) return undefined;
  const masks = readMasks(operation, insideOf(operation, resource));
  const answer = answerWith({ model, resource, operation });
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      // Validates the request before the lookup: an invalid mask is an error even if the resource does not exist.
      const read = masks(request);
      return read(answer(state, store.get(readKey(request)).message, request));
    };
  };
};

const maxKeys = 1_000;

/** Gets all named resources in the given order, or fails. */
export const batchGetMethod: ResourceMethod = ({ resource, operation }) => {
  const { input, output } = operation;
  const { message: desc, key } = resource;
  const [only] = key;
  const asked = input.fields.find(
    (field) => field.fieldKind === "list" && field.listKind === "scalar" && field.scalar === only?.scalar,
  );
  const holder = output.fields.find((field) => field.fieldKind === "list" && field.message === desc);
  if (asked === undefined || holder === undefined || key.length !== 1) return undefined;
  const masks = readMasks(operation, holder);
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      const read = masks(request);
      const keys =
        (request as unknown as Readonly<Record<string, readonly (string | number | bigint)[]>>)[asked.localName] ?? [];
      if (keys.length > maxKeys) throw invalid(asked.name, `must not be more than ${maxKeys}`, "repeated.max_items");
      const answer = create(output);
      const found = keys.map((name) => store.get([String(name)]).message);
      requireListable(found, bytesInMemory);
      (answer as unknown as Record<string, unknown>)[holder.localName] = found;
      return read(answer);
    };
  };
};
