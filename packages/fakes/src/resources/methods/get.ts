// Gets a resource (AIP-131).
import type { Message } from "@bufbuild/protobuf";
import { readMasks } from "../masks.ts";
import { answerWith } from "../answer-with.ts";
import { keyReader, resourceField } from "../key-reader.ts";
import type { ResourceMethod } from "./method.ts";

export const getMethod: ResourceMethod = ({ model, resource, operation }) => {
  const readKey = keyReader(operation.input, resource);
  if (readKey === undefined) return undefined;
  const { output } = operation;
  const inside = output === resource.message ? undefined : resourceField(output, resource);
  const masks = readMasks(operation, inside);
  const answer = answerWith(model.maker, resource, operation);
  return (state) => {
    const store = state.storeOf(resource);
    return (request: Message) => {
      // Validates the request before the lookup: an invalid mask is an error even if the resource does not exist.
      const read = masks(request);
      return read(answer(store.get(readKey(request)).message, request));
    };
  };
};
