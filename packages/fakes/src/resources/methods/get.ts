// Gets a resource (AIP-131), or several (AIP-231).
import { create, type Message } from "@bufbuild/protobuf";
import { readMasks } from "../masks.ts";
import { answerWith } from "../answer-with.ts";
import { keyReader, resourceField } from "../key-reader.ts";
import { invalid } from "../resource-errors.ts";
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
      const found = keys.map((one) => store.get([String(one)]).message);
      (answer as unknown as Record<string, unknown>)[holder.localName] = found;
      return read(answer);
    };
  };
};
