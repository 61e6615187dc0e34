// Requests to begin with: made up for an operation, the same each time, such as keep the contract's rules and find what a fake has from the
// start.
import { clearField, clone, ScalarType, type DescField, type Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { Contract, Operation } from "@roundtrip/contract";
import { crc32 } from "node:zlib";
import type { ResourceModel } from "../resources/resource-model.ts";
import { fakeDefaults } from "../fake/fake-options.ts";
import { Draw } from "../answers/draw.ts";
import { learntOf } from "../generated/learnt.ts";
import { hasRulesInside } from "../answers/rules.ts";
import { firstKey, freshKey } from "../resources/example-keys.ts";
import { pathExample, type PathExample } from "../answers/path-example.ts";
import { resourceSteps, type RequestStep } from "./resource-request.ts";

/** What a first request does without: made up, a token is of no list, a filter matches nothing, and a trial changes nothing. */
const unasked: ReadonlySet<string> = new Set(
  ["page_token", "page_size", "skip", "read_mask", "update_mask", "field_mask", "filter", "order_by"].concat([
    "etag",
    "validate_only",
    "dry_run",
  ]),
);

/** Leaves out what is not asked at first. */
function simplest({ input }: Operation): RequestStep {
  const fields = input.fields.filter(({ name }) => unasked.has(name));
  return (request) => {
    for (const field of fields) clearField(request, field);
  };
}

/** The name of a resource that a URL takes, where one of the contract's is called so. */
function knownName(model: ResourceModel, { pattern }: PathExample, { method }: Operation): string | undefined {
  const isNew = /^(?:Create|Add|Insert|Register)/.test(method.name);
  for (const resource of model.resources) {
    if (resource.pattern === undefined) continue;
    const [name = ""] = isNew ? freshKey(model, resource) : firstKey(model, resource);
    if (pattern.test(name)) return name;
  }
  return undefined;
}

/** Fills what stands in the URL with what the URL takes, where it is something else. */
function fittingPath(operation: Operation, model: ResourceModel): RequestStep {
  const [binding] = operation.bindings;
  const wanted = binding.path.variables.flatMap(({ fieldPath }) => {
    const found = pathExample(binding, fieldPath);
    return found === undefined ? [] : [{ fieldPath, ...found }];
  });
  return (request) => {
    for (const { fieldPath, pattern, example } of wanted) {
      let at = reflect(operation.input, request, false);
      let field: DescField | undefined;
      for (const [depth, name] of fieldPath.entries()) {
        field = at.fields.find((one) => one.name === name);
        if (depth === fieldPath.length - 1 || field?.fieldKind !== "message") break;
        if (!at.isSet(field)) at.set(field, reflect(field.message, undefined, false));
        at = at.get(field);
      }
      if (field?.fieldKind !== "scalar" || field.scalar !== ScalarType.STRING || pattern.test(at.get(field))) continue;
      at.set(field, knownName(model, { pattern, example }, operation) ?? example);
    }
  };
}

/** Makes requests for the operations of one contract: with all fields, or without those that a first request does without. */
export type ExampleRequests = (operation: Operation, isWhole?: boolean) => Message;

/** @param seed of the fake that is to answer them: where rules forbid plain numbers, its keys are drawn from that. */
export function exampleRequests(contract: Contract, seed: number = fakeDefaults.seed): ExampleRequests {
  const { maker, methods } = learntOf(contract, seed);
  return (operation, isWhole = false) => {
    const { id, input } = operation;
    const about = methods.about(operation);
    const steps = [
      ...(isWhole ? [] : [simplest(operation)]),
      ...(about === undefined ? [] : resourceSteps(operation, about, methods)),
      fittingPath(operation, methods.model),
    ];
    const isRuled = hasRulesInside(input);
    let request = maker.message(input, new Draw([crc32(id), 0, 0, 0]));
    let isValid = isRuled && maker.isValid(input, request);
    for (const step of steps) {
      const next = clone(input, request);
      step(next);
      const isNextValid = isRuled && maker.isValid(input, next);
      // What the rules ask for stays, whatever a first request would do without.
      if (isValid && !isNextValid) continue;
      request = next;
      isValid = isNextValid;
    }
    return request;
  };
}
