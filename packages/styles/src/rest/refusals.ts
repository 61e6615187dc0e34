// Requests that REST refuses before they reach an operation.
import type { Contract, HttpBinding } from "@roundtrip/contract";
import { editDistance, nearestName } from "@roundtrip/contract/text";
import type { NearestOperation, Refusals } from "../basics/style.ts";
import { errorOf } from "./errors.ts";
import { originForm } from "../shared/http/http-service.ts";
import { Paths } from "./openapi/paths.ts";

/** The cost of another method: two paths that differ in more than a few letters are farther apart. */
const otherMethod = 0.6;
const missingSegment = 1;
/** Nobody means a longer path, and its distance from each route would take long. */
const maxPathCharacters = 500;
/** Above this share of the path, nothing is similar. */
const mostOfPath = 0.5;

/** How unlike two texts are, 0 to 1. Upper and lower case are the same. */
function unlikeness(received: string, declared: string): number {
  return editDistance(received.toLowerCase(), declared.toLowerCase()) / Math.max(received.length, declared.length, 1);
}

/** How unlike a path is to a template: the sum over their segments. */
function pathCost(received: readonly string[], { path }: HttpBinding): number {
  const last = path.segments.at(-1);
  const isOpen = last?.kind === "many";
  const length = Math.max(received.length, path.segments.length);
  let cost = 0;
  for (let at = 0; at < length; at += 1) {
    const segment = path.segments[at] ?? (isOpen ? last : undefined);
    const text = received[at];
    if (segment === undefined || text === undefined || text === "") cost += missingSegment;
    else if (segment.kind === "literal") cost += unlikeness(text, segment.text);
  }
  return cost;
}

/** The verb of a path, such as `cancel` in `/v1/jobs/7:cancel`. */
function splitVerb(path: string): readonly [path: string, verb: string] {
  const colon = path.lastIndexOf(":");
  return colon > path.lastIndexOf("/") ? [path.slice(0, colon), path.slice(colon + 1)] : [path, ""];
}

/** The end of a message about a path that may end with a misspelled verb: the same path with the nearest verb, or nothing. */
export function verbHint(method: string, path: string, contract: Contract): string {
  const [withoutVerb, typed] = splitVerb(path);
  if (typed === "" || path.length > maxPathCharacters) return "";
  const segments = withoutVerb.slice(1).split("/");
  const bindings = contract.operations
    .flatMap((operation) => operation.bindings)
    .filter((binding) => binding.path.verb !== "" && pathCost(segments, binding) === 0);
  const verb = nearestName(
    typed,
    bindings.map(({ path: { verb: own } }) => own),
  );
  const found = bindings.filter((binding) => binding.path.verb === verb).map((binding) => binding.method);
  const [first] = found;
  if (first === undefined) return "";
  const fitting = found.includes(method) || first === "*" ? method : first;
  return `; did you mean "${fitting} ${withoutVerb}:${verb}"?`;
}

function costOf(method: string, path: string, binding: HttpBinding): number {
  const [withoutVerb, verb] = binding.path.verb === "" ? [path, ""] : splitVerb(path);
  const ofVerb = binding.path.verb === "" ? 0 : unlikeness(verb, binding.path.verb);
  const ofMethod = binding.method === method || binding.method === "*" ? 0 : otherMethod;
  return pathCost(withoutVerb.slice(1).split("/"), binding) + ofVerb + ofMethod;
}

/** The path that a method has in other styles, and here without a binding. */
const methodForm = /^\/((?:\w+\.)*[A-Z]\w*)\/([A-Z]\w*)$/;

/** The operations whose routes are compared: at the path of a method only the one with the nearest name, if any is near. */
function candidates(path: string, { operations }: Contract): Contract["operations"] {
  const [, service, name] = methodForm.exec(path) ?? [];
  if (service === undefined) return operations;
  const nearest = nearestName(
    `${service}.${name}`,
    operations.map(({ id }) => id),
  );
  return nearest === undefined ? operations : operations.filter(({ id }) => id === nearest);
}

function nearestRoute(method: string, path: string, contract: Contract): NearestOperation | undefined {
  if (path.length > maxPathCharacters) return undefined;
  const compared = candidates(path, contract);
  let best: { readonly operation: Contract["operations"][number]; readonly binding: HttpBinding } | undefined;
  const isNamed = compared.length < contract.operations.length;
  let least = isNamed ? Infinity : Math.max(1, path.split("/").length - 1) * mostOfPath + otherMethod;
  for (const operation of compared) {
    for (const binding of operation.bindings) {
      const cost = costOf(method, path, binding);
      if (cost >= least) continue;
      least = cost;
      best = { operation, binding };
    }
  }
  if (best === undefined) return undefined;
  const { operation, binding } = best;
  return {
    operation: operation.id,
    address: `${binding.method} ${new Paths().of(operation.input, binding.path).text}`,
  };
}

export const refusals: Refusals = {
  errorIn: ({ status, body }) => (status < 400 ? undefined : errorOf({ status, body: Buffer.from(body) })),
  nearest: ({ method, url }, contract) => nearestRoute(method, originForm(url).split("?", 1)[0] ?? "", contract),
};
