// Deletes a resource (AIP-135) and its children.
import { create, type Message } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { answerWith } from "../answer-with.ts";
import { keyReader } from "../key-reader.ts";
import { flagProperty, textProperty } from "../properties.ts";
import { keyText } from "../resource.ts";
import { outdated } from "../resource-errors.ts";
import type { ResourceMethod } from "./method.ts";

export const deleteMethod: ResourceMethod = ({ model, resource, operation }) => {
  const { input, output } = operation;
  const readKey = keyReader(input, resource);
  if (readKey === undefined) return undefined;
  const mayMiss = flagProperty(input, ["allow_missing"]);
  const isTrial = flagProperty(input, ["validate_only", "dry_run"]);
  const asksForForce = input.fields.some(({ name }) => name === "force");
  const isForced = flagProperty(input, ["force"]);
  const etag = textProperty(input, ["etag"]) ?? (() => "");
  const ownEtag = textProperty(resource.message, ["etag"]) ?? (() => "");
  const answer = answerWith(model.maker, resource, operation);
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
        throw new CallError(
          "FAILED_PRECONDITION",
          `the ${resource.singular} is not empty: set force, or delete its children first`,
        );
      }
      if (!isTrial(request)) {
        state.removeBelow(resource, key);
        store.remove(key);
      }
      return answer(message, request);
    };
  };
};
