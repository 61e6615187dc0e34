// What changed about operations themselves: additions, removals, streaming, side effects, HTTP bindings.
import { type Contract, type Operation, methodPath, routeKey, type HttpBinding } from "@roundtrip/contract";
import type { Change } from "./change.ts";
import type { OperationPair } from "./type-pairs.ts";

function bindingText({ method, path }: HttpBinding): string {
  return `${method} ${path.source}`;
}

function isDefault({ method, bindings }: Operation): boolean {
  return bindings[0].path.source === methodPath(method);
}

function serviceAndName({ method }: Operation): string {
  return `${method.parent.name}.${method.name}`;
}

/** The operations that both contracts have: under the same name, or moved, by their path or their own name alone. */
export function operationPairs(before: Contract, after: Contract): readonly OperationPair[] {
  const byId = new Map(after.operations.map((operation) => [operation.id, operation]));
  const removed = before.operations.filter(({ id }) => !byId.has(id));
  const known = new Set(before.operations.map(({ id }) => id));
  const added = new Set(after.operations.filter(({ id }) => !known.has(id)));
  const unmoved = before.operations.flatMap((operation): readonly OperationPair[] => {
    const same = byId.get(operation.id);
    return same === undefined ? [] : [[operation, same]];
  });
  const matches: readonly ((older: Operation, newer: Operation) => boolean)[] = [
    (older, newer) => serviceAndName(older) === serviceAndName(newer),
    (older, newer) => !isDefault(older) && routeKey(older.bindings[0]) === routeKey(newer.bindings[0]),
    (older, newer) => older.method.name === newer.method.name,
  ];
  const moved = removed.flatMap((older): readonly OperationPair[] => {
    const found = matches.map((isMatch) => [...added].filter((newer) => isMatch(older, newer)));
    // Several candidates are as good as none.
    const newer = found.find(({ length }) => length === 1)?.[0];
    if (newer === undefined) return [];
    added.delete(newer);
    return [[older, newer]];
  });
  return [...unmoved, ...moved];
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
    let older: typeof before.input | undefined = before.input;
    let newer: typeof before.input | undefined = after.input;
    return fieldPath.map((name) => {
      const field = older?.fields.find((candidate) => candidate.name === name);
      const fields: typeof before.input.fields = newer?.fields ?? [];
      const same =
        fields.find((candidate) => candidate.name === name) ??
        fields.find((candidate) => candidate.number === field?.number);
      older = field?.message;
      newer = same?.message;
      return same?.name ?? name;
    });
  };
}

const maxAddresses = 20;

function bindingChanges(pair: OperationPair): readonly Change[] {
  const [before, after] = pair;
  const renamed = renaming(pair);
  const taken = new Set<HttpBinding>();
  // Of several bindings with one route, the first.
  const byRoute = new Map(after.bindings.toReversed().map((binding) => [routeKey(binding), binding]));
  const more = after.bindings.length - maxAddresses;
  const addresses = [
    ...after.bindings.slice(0, maxAddresses).map(bindingText),
    ...(more > 0 ? [`${more} more`] : []),
  ].join(", ");
  const gone = before.bindings.flatMap((binding): readonly Change[] => {
    const newer = byRoute.get(routeKey(binding));
    const about = { where: before.id, operation: before, binding };
    if (newer === undefined) {
      const what = `moved from ${bindingText(binding)} to ${addresses}`;
      return [{ ...about, kind: "binding-removed", what }];
    }
    taken.add(newer);
    if (inNewNames(binding, renamed) === fieldsIn(newer)) return [];
    return [{ ...about, kind: "binding-changed", what: `${bindingText(binding)} maps the request differently` }];
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

export function operationChanges(
  before: Contract,
  after: Contract,
): { readonly pairs: readonly OperationPair[]; readonly changes: readonly Change[] } {
  const pairs = operationPairs(before, after);
  const older = new Set(pairs.map(([operation]) => operation));
  const newer = new Set(pairs.map(([, operation]) => operation));
  const removed = before.operations.filter((operation) => !older.has(operation));
  const added = after.operations.filter((operation) => !newer.has(operation));
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
