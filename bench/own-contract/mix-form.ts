// The mix of a task file: operations with their shares, of which each execution of the task makes one call, and the order of these calls.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { FakeError, operationNamed, type ValuePath } from "@roundtrip/fakes";
import { expected, readWholeMessage } from "@roundtrip/fakes/parts";
import { shuffled } from "@roundtrip/runner/parts";
import { listOf, objectOf } from "./form.ts";
import { hasReferences } from "./references.ts";

export interface MixRequest {
  /** In ProtoJSON, with references to answers of the setup. */
  readonly json: JsonValue;
  readonly path: ValuePath;
}

/** One operation of a mix. */
export interface MixForm {
  readonly operation: Operation;
  /** Relative to the other shares. */
  readonly share: number;
  /** Each as often as the others; one that is listed twice is made twice as often. */
  readonly requests: readonly MixRequest[];
  readonly path: ValuePath;
}

const mixKeys = ["operation", "share", "requests"] as const;

/** Every request is made once before the measurement, over each style. */
export const mixLimits = { operations: 200, requests: 1_000 } as const;

function shareOf(json: JsonValue | undefined, path: ValuePath): number {
  if (json === undefined) return 1;
  if (typeof json === "number" && Number.isFinite(json) && json > 0) return json;
  throw expected("a number above 0", json, path);
}

function entryOf(json: JsonValue, path: ValuePath, contract: Contract): MixForm {
  const { operation: name, share, requests = [{}] } = objectOf(json, mixKeys, "an operation of a mix", path);
  const at = [...path, "operation"];
  if (typeof name !== "string") throw expected("the name of an operation", name ?? null, at);
  const operation = operationNamed(contract, name, at);
  if (operation.kind === "bidi_streaming") {
    throw new FakeError("wrong-type", `${operation.id} streams both ways, which no task does`, { path: at });
  }
  const list = listOf(requests, [...path, "requests"]).map((one, index) => ({
    json: one,
    path: [...path, "requests", index],
  }));
  if (list.length === 0) throw expected("at least one request", [], [...path, "requests"]);
  for (const one of list) {
    if (!hasReferences(one.json)) readWholeMessage(operation.input, one.json, one.path, contract.registry);
  }
  return { operation, share: shareOf(share, [...path, "share"]), requests: list, path };
}

/** Parses a mix. Throws a FakeError for an invalid form or unknown names. */
export function mixOf(json: JsonValue, path: ValuePath, contract: Contract): readonly MixForm[] {
  const list = listOf(json, path);
  const { operations, requests } = mixLimits;
  if (list.length === 0 || list.length > operations) throw expected(`1 to ${operations} operations`, list.length, path);
  const mix = list.map((one, index) => entryOf(one, [...path, index], contract));
  const all = mix.reduce((sum, entry) => sum + entry.requests.length, 0);
  if (all > requests) throw expected(`at most ${requests} requests in one mix`, all, path);
  return mix;
}

/** One request of a mix with its weight. Requests that a mix lists more than once are one step. */
export interface MixStep {
  readonly form: MixForm;
  readonly request: MixRequest;
  readonly weight: number;
}

/** One message between processes has the turns of a plan: beyond this many executions they repeat. */
const mostTurns = 10_000;

const seed = 1;

export function mixSteps(mix: readonly MixForm[]): readonly MixStep[] {
  const all = mix.reduce((sum, { share }) => sum + share, 0);
  return mix.flatMap((form) =>
    [...Map.groupBy(form.requests, ({ json }) => JSON.stringify(json)).values()].map((alike) => ({
      form,
      request: alike[0] as MixRequest,
      weight: (form.share / all) * (alike.length / form.requests.length),
    })),
  );
}

/** How often each step is made among `length` executions: the nearest whole numbers (largest remainders), at least one where there are enough. */
function countsOf(weights: readonly number[], length: number): readonly number[] {
  const least = length >= weights.length ? 1 : 0;
  const exact = weights.map((weight) => weight * length);
  const counts = exact.map((count) => Math.max(least, Math.floor(count)));
  const order = exact
    .map((count, step) => ({ step, remainder: count - Math.floor(count) }))
    .toSorted((one, other) => other.remainder - one.remainder || one.step - other.step);
  let left = length - counts.reduce((sum, count) => sum + count, 0);
  for (const { step } of order) {
    if (left <= 0) break;
    counts[step] = (counts[step] ?? 0) + 1;
    left -= 1;
  }
  // Rare steps that are made at least once are made instead of the most frequent ones.
  while (left < 0) {
    const most = counts.indexOf(Math.max(...counts));
    counts[most] = (counts[most] ?? 0) - 1;
    left += 1;
  }
  return counts;
}

/** The step of each execution, in a random order that is always the same. @param weights sum to 1. */
export function turnsOf(weights: readonly number[], executions: number): readonly number[] {
  const length = Math.min(Math.max(executions, weights.length), mostTurns);
  const counts = countsOf(weights, length);
  return shuffled(
    counts.flatMap((count, step) => Array<number>(count).fill(step)),
    seed,
  );
}

/** Identifies an answer of a mix in the answer of its plan. */
export function answerMember(step: number, { method }: MixForm["operation"]): string {
  return `${method.name} ${step + 1}`;
}
