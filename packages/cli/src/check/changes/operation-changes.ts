// What changed about operations themselves: which there are, how they stream, what they may change, and how HTTP reaches them.
import type { Contract, HttpBinding, Operation, PathTemplate } from "@roundtrip/contract";
import type { Change } from "../change.ts";
import type { OperationPair } from "./type-pairs.ts";

/** A path as a caller sees it: what fills a variable is not in it. */
function shapeOf({ segments, verb }: PathTemplate): string {
  const texts = segments.map((segment) => {
    if (segment.kind === "literal") return segment.text;
    return segment.kind === "one" ? "*" : "**";
  });
  return `/${texts.join("/")}${verb === "" ? "" : `:${verb}`}`;
}

function addressOf({ method, path }: HttpBinding): string {
  return `${method} ${shapeOf(path)}`;
}

function bindingText({ method, path }: HttpBinding): string {
  return `${method} ${path.source}`;
}

function isDefault({ id, bindings }: Operation): boolean {
  const at = id.lastIndexOf(".");
  return bindings[0].path.source === `/${id.slice(0, at)}/${id.slice(at + 1)}`;
}

function serviceAndName({ method }: Operation): string {
  return `${method.parent.name}.${method.name}`;
}

function operationPairs(before: Contract, after: Contract): readonly OperationPair[] {
  const byId = new Map(after.operations.map((operation) => [operation.id, operation]));
  const removed = before.operations.filter(({ id }) => !byId.has(id));
  const known = new Set(before.operations.map(({ id }) => id));
  const added = new Set(after.operations.filter(({ id }) => !known.has(id)));
  const stayed = before.operations.flatMap((operation): readonly OperationPair[] => {
    const same = byId.get(operation.id);
    return same === undefined ? [] : [[operation, same]];
  });
  const alike: readonly ((old: Operation, young: Operation) => boolean)[] = [
    (old, young) => serviceAndName(old) === serviceAndName(young),
    (old, young) => !isDefault(old) && addressOf(old.bindings[0]) === addressOf(young.bindings[0]),
    (old, young) => old.method.name === young.method.name,
  ];
  const moved = removed.flatMap((old): readonly OperationPair[] => {
    const found = alike.map((isAlike) => [...added].filter((young) => isAlike(old, young)));
    // More than one could be it: then none is.
    const young = found.find(({ length }) => length === 1)?.[0];
    if (young === undefined) return [];
    added.delete(young);
    return [[old, young]];
  });
  return [...stayed, ...moved];
}

function fieldsIn({ path, body, responseBody }: HttpBinding): string {
  return JSON.stringify([
    path.variables.map(({ fieldPath, start, end }) => [fieldPath, start, end]),
    body,
    responseBody,
  ]);
}

/** A binding with the names that fields have after the change. */
function inNewNames(binding: HttpBinding, renamed: (fieldPath: readonly string[]) => readonly string[]): string {
  const { path, body, responseBody } = binding;
  const [newBody = body] = body === "" || body === "*" ? [body] : renamed([body]);
  const variables = path.variables.map(({ fieldPath, ...span }) => ({ ...span, fieldPath: renamed(fieldPath) }));
  return fieldsIn({ ...binding, path: { ...path, variables }, body: newBody, responseBody });
}

/** The names, after the change, of the fields that a path of names enters. */
function renaming([before, after]: OperationPair): (fieldPath: readonly string[]) => readonly string[] {
  return (fieldPath) => {
    let old: typeof before.input | undefined = before.input;
    let young: typeof before.input | undefined = after.input;
    return fieldPath.map((name) => {
      const field = old?.fields.find((candidate) => candidate.name === name);
      const fields: typeof before.input.fields = young?.fields ?? [];
      const same =
        fields.find((candidate) => candidate.name === name) ??
        fields.find((candidate) => candidate.number === field?.number);
      old = field?.message;
      young = same?.message;
      return same?.name ?? name;
    });
  };
}

function bindingChanges(pair: OperationPair): readonly Change[] {
  const [before, after] = pair;
  const renamed = renaming(pair);
  const taken = new Set<HttpBinding>();
  const gone = before.bindings.flatMap((binding): readonly Change[] => {
    const young = after.bindings.find((candidate) => addressOf(candidate) === addressOf(binding));
    const about = { where: before.id, operation: before, binding };
    if (young === undefined) {
      const others = after.bindings.map((other) => bindingText(other)).join(", ");
      const what = `no longer at ${bindingText(binding)}, but at ${others}`;
      return [{ ...about, kind: "binding-removed", what }];
    }
    taken.add(young);
    if (inNewNames(binding, renamed) === fieldsIn(young)) return [];
    return [{ ...about, kind: "binding-changed", what: `${bindingText(binding)} carries the request otherwise` }];
  });
  const added = after.bindings.filter((binding) => !taken.has(binding) && gone.length === 0);
  return [
    ...gone,
    ...added.map((binding) => ({
      kind: "binding-added" as const,
      where: after.id,
      what: `also at ${bindingText(binding)}`,
      operation: after,
      binding,
    })),
  ];
}

const streams = {
  unary: "one request, one answer",
  server_streaming: "a stream of answers",
  client_streaming: "a stream of requests",
  bidi_streaming: "streams both ways",
} as const;

const effects = { none: "NO_SIDE_EFFECTS", idempotent: "IDEMPOTENT", unknown: "IDEMPOTENCY_UNKNOWN" } as const;

function changesOf(pair: OperationPair): readonly Change[] {
  const [before, after] = pair;
  const about = { where: before.id, before, after };
  const changes: Change[] = [];
  if (before.id !== after.id) changes.push({ ...about, kind: "operation-moved", what: `moved to ${after.id}` });
  if (before.kind !== after.kind) {
    const what = `has ${streams[after.kind]} instead of ${streams[before.kind]}`;
    changes.push({ ...about, kind: "streaming-changed", what });
  }
  if (before.sideEffects !== after.sideEffects) {
    const what = `idempotency_level ${effects[before.sideEffects]} became ${effects[after.sideEffects]}`;
    changes.push({ ...about, kind: "side-effects-changed", what });
  }
  return [...changes, ...bindingChanges(pair)];
}

/** The operations that both contracts have, and what changed about all of them. */
export function operationChanges(
  before: Contract,
  after: Contract,
): { readonly pairs: readonly OperationPair[]; readonly changes: readonly Change[] } {
  const pairs = operationPairs(before, after);
  const old = new Set(pairs.map(([operation]) => operation));
  const young = new Set(pairs.map(([, operation]) => operation));
  const removed = before.operations.filter((operation) => !old.has(operation));
  const added = after.operations.filter((operation) => !young.has(operation));
  return {
    pairs,
    changes: [
      ...removed.map((operation) => ({
        kind: "operation-removed" as const,
        where: operation.id,
        what: "removed",
        operation,
      })),
      ...added.map((operation) => ({
        kind: "operation-added" as const,
        where: operation.id,
        what: "added",
        operation,
      })),
      ...pairs.flatMap((pair) => changesOf(pair)),
    ],
  };
}
