// Gets all named resources in the given order, or fails (AIP-231).
import { create, type Message } from "@bufbuild/protobuf";
import { readMasks } from "../masks.ts";
import { invalid } from "../resource-errors.ts";
import type { ResourceMethod } from "./method.ts";

const maxKeys = 1_000;

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
