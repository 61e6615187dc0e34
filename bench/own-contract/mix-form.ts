// The mix of a task file: operations with their shares, of which each execution of the task makes one call.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { FakeError, operationNamed, type ValuePath } from "@roundtrip/fakes";
import { expected, readWholeMessage } from "@roundtrip/fakes/parts";
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
