// What a list reads of its request by the names of fields, and which fields of a request it therefore ignores.
import { type DescField, type DescMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { fieldOfPart } from "@roundtrip/contract/resources";
import { parentField } from "../keys.ts";
import { type Compared } from "../list-filter.ts";
import { maskNames } from "../masks.ts";
import { maskProperty, scalarField } from "../request-properties.ts";
import type { MethodOf } from "./method.ts";

/** The names of fields that select, order and page, the likeliest first. */
export const listNames = {
  filter: ["filter"],
  query: ["query", "q", "search"],
  orderBy: ["order_by"],
  size: ["page_size", "limit", "max_results", "per_page", "max_page_size"],
  token: ["page_token", "cursor", "next_page_token", "after"],
  skip: ["skip", "offset"],
  page: ["page", "page_number"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const textNames = [listNames.filter, listNames.query, listNames.orderBy, listNames.token];
const integerNames = [listNames.size, listNames.skip, listNames.page];
const integerTypes = [ScalarType.INT32, ScalarType.INT64, ScalarType.UINT32, ScalarType.UINT64];

/** Fields without a meaning for a list of a fake, which deletes at once. */
const meaningless = new Set(["show_deleted", "request_id", "idempotency_key"]);

function namedFields(input: DescMessage): readonly (DescField | undefined)[] {
  const mask = maskProperty(input, maskNames)?.name;
  return [
    ...textNames.map((names) => scalarField(input, names, [ScalarType.STRING])),
    ...integerNames.map((names) => scalarField(input, names, integerTypes)),
    input.fields.find(({ name }) => name === mask),
  ];
}

/**
 * Finds the fields that a request sets and its list does not apply, by name.
 * @param compared the fields that the list compares with those of its resources
 */
export function ignoredFields(
  { model, resource, operation }: MethodOf,
  compared: readonly Compared[],
): (request: Message) => readonly string[] {
  const { input } = operation;
  const applied = new Set([
    ...compared.map(([asked]) => asked),
    ...namedFields(input),
    ...resource.key.slice(0, -1).map((part) => fieldOfPart(input, part)),
    parentField(model.contract, operation, resource),
  ]);
  const others = input.fields.filter((field) => !applied.has(field) && !meaningless.has(field.name));
  if (others.length === 0) return () => [];
  return (request) => {
    const reading = reflect(input, request, false);
    return others.filter((field) => reading.isSet(field)).map(({ name }) => name);
  };
}
