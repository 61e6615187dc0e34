// Gets a resource (AIP-131), or all that were named (AIP-231).
import type { Message } from "@bufbuild/protobuf";
import { maskProperty } from "../properties.ts";
import { maskTree, masked } from "../masks.ts";
import { answerWith } from "../answer-with.ts";
import { keyReader } from "../key-reader.ts";
import type { ResourceMethod } from "./method.ts";

export const readMaskNames = ["read_mask", "field_mask"] as const;

export const getMethod: ResourceMethod = ({ model, resource, operation }) => {
  const readKey = keyReader(operation.input, resource);
  if (readKey === undefined) return undefined;
  const { message: desc } = resource;
  const mask = maskProperty(operation.input, readMaskNames);
  const answer = answerWith(model.maker, resource, operation);
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      // The request is judged before the resource is looked for: a bad mask is bad whatever there is.
      const tree = mask === undefined ? undefined : maskTree(desc, mask.read(request), mask.name);
      return answer(masked(desc, tree, store.get(readKey(request)).message), request);
    };
  };
};
