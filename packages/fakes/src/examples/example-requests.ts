// Example requests for every operation, the same each time: they obey the contract's rules, refer to the initial resources of a fake, and fit their
// URL.
import {
  clearField,
  clone,
  type DescField,
  type DescMessage,
  isFieldSet,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import type { Contract, Operation } from "@roundtrip/contract";
import { exclusiveGroups } from "@roundtrip/contract/declared-rules";
import { Draw, usualSeed } from "../answers/draw.ts";
import { isRequiredField } from "../answers/rules.ts";
import { pathExample, type PathExample } from "../basics/names.ts";
import { analysedContract } from "../generated/generated-service.ts";
import { scalarField } from "../resources/request-properties.ts";
import { firstKey, freshKey, type ResourceModel } from "../resources/resource-model.ts";
import { masked, type RequestStep, resourceSteps } from "./resource-request.ts";
import { crc32 } from "node:zlib";

/** Messages that are one text in JSON. */
const texts: ReadonlySet<string> = new Set(
  ["Timestamp", "Duration", "FieldMask"].map((name) => `google.protobuf.${name}`),
);
/** Messages that are JSON of any form. */
const opaque: ReadonlySet<string> = new Set(
  ["Any", "Struct", "Value", "ListValue"].map((name) => `google.protobuf.${name}`),
);

function isText(message: DescMessage): boolean {
  return texts.has(message.typeName) || isWrapperDesc(message);
}

/** Lists of messages and maps have no form in a URL (google/api/http.proto). */
function hasNoForm(field: DescField): boolean {
  if (field.fieldKind === "map") return true;
  if (field.fieldKind === "list") return field.listKind === "message" && !isText(field.message);
  return field.fieldKind === "message" && opaque.has(field.message.typeName);
}

function clearInside(message: ReflectMessage, fields: readonly DescField[]): void {
  for (const field of fields) {
    if (!message.isSet(field)) continue;
    if (hasNoForm(field)) message.clear(field);
    else if (field.fieldKind === "message" && !isText(field.message)) {
      clearInside(message.get(field), field.message.fields);
    }
  }
}

/** Clears fields that the first HTTP binding puts into the URL, and that a URL cannot carry. */
function fittingUrl({ input, bindings: [{ body }] }: Operation): RequestStep {
  if (body === "*") return () => undefined;
  const fields = input.fields.filter(({ name }) => name !== body);
  return (request: Message) => clearInside(reflect(input, request, false), fields);
}

/** Fields that a first request omits: a made-up page token or filter finds nothing, and a dry run changes nothing. */
const unasked: ReadonlySet<string> = new Set(
  ["page_token", "page_size", "skip", "read_mask", "update_mask", "field_mask", "filter", "order_by"].concat([
    "etag",
    "validate_only",
    "dry_run",
  ]),
);

/** Clears the fields that a first request omits. */
function simplest({ input }: Operation): RequestStep {
  const fields = input.fields.filter((field) => unasked.has(field.name) && !isRequiredField(field));
  return (request) => {
    for (const field of fields) clearField(request, field);
  };
}

/** The example value of a URL variable, if it is the name of a resource of the contract. */
function knownName(model: ResourceModel, { pattern }: PathExample, { method }: Operation): string | undefined {
  const isNew = /^(?:Create|Add|Insert|Register)/.test(method.name);
  for (const resource of model.resources) {
    if (resource.pattern === undefined) continue;
    const [name = ""] = isNew ? freshKey(model, resource) : firstKey(model, resource);
    if (pattern.test(name)) return name;
  }
  return undefined;
}

/** Replaces values of URL variables that do not fit the URL. */
function fittingPath(operation: Operation, model: ResourceModel): RequestStep {
  const [binding] = operation.bindings;
  const wanted = binding.path.variables.flatMap(({ fieldPath }) => {
    // One segment may be any text; the field may be a member of a oneof that has another one set.
    const found = pathExample(binding, fieldPath) ?? { pattern: /./, example: `${fieldPath.at(-1) ?? "part"}-1` };
    return [{ fieldPath, ...found }];
  });
  return (request) => {
    for (const { fieldPath, pattern, example } of wanted) {
      let at = reflect(operation.input, request, false);
      let field: DescField | undefined;
      for (const [depth, name] of fieldPath.entries()) {
        field = at.fields.find((candidate) => candidate.name === name);
        if (depth === fieldPath.length - 1 || field?.fieldKind !== "message") break;
        if (!at.isSet(field)) at.set(field, reflect(field.message, undefined, false));
        at = at.get(field);
      }
      if (field?.fieldKind !== "scalar" || field.scalar !== ScalarType.STRING || pattern.test(at.get(field))) continue;
      at.set(field, knownName(model, { pattern, example }, operation) ?? example);
    }
  };
}

/** Clears fields that a step made superfluous: of a group that allows one field, the one that the step has set stays. */
function keepExclusive({ input }: Operation, before: Message, next: Message): void {
  for (const { fields } of exclusiveGroups(input)) {
    const set = fields.filter((field) => isFieldSet(next, field));
    const added = set.filter((field) => !isFieldSet(before, field));
    if (added.length > 0) for (const field of set) if (!added.includes(field)) clearField(next, field);
  }
}

/** Names a long-running operation, in a request that reads one. */
function naming({ input }: Operation, name: string | undefined): RequestStep {
  const field = scalarField(input, ["name"], [ScalarType.STRING]);
  return (request) => {
    if (name !== undefined && field !== undefined) reflect(input, request, false).set(field, name);
  };
}

/** Makes requests for the operations of one contract: with all fields, or without those that a first request omits. */
export type ExampleRequests = (operation: Operation, isWhole?: boolean) => Message;

/** @param seed the seed of the fake that will answer: if rules forbid plain numbers, its keys depend on it */
export function exampleRequests(contract: Contract, seed: number = usualSeed): ExampleRequests {
  const { maker, methods, operations } = analysedContract(contract, seed);
  return (operation, isWhole = false) => {
    const { id, input } = operation;
    const about = methods.about(operation);
    const steps = [
      ...(isWhole ? [] : [simplest(operation), fittingUrl(operation)]),
      ...(about === undefined ? [] : resourceSteps(operation, about, methods)),
      fittingPath(operation, methods.model),
      masked(operation, methods.model),
      naming(operation, operations.exampleName(operation)),
    ];
    let request = maker.request(input, new Draw([crc32(id), 0, 0, 0]));
    let isValid = maker.isAccepted(input, request);
    for (const step of steps) {
      const next = clone(input, request);
      step(next);
      keepExclusive(operation, request, next);
      const isNextValid = maker.isAccepted(input, next);
      // Fields that the rules require stay, even if a first request would omit them.
      if (isValid && !isNextValid) continue;
      request = next;
      isValid = isNextValid;
    }
    return request;
  };
}
