// The form of a delay in a file: one member of its parent object, which states the distribution.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { expected, listOf, objectOf, textOf } from "../files/form.ts";
import { checkDelay } from "./delays.ts";
import type { Delay } from "./fault-plan.ts";

/** The source of measured latencies: a run directory, and the arms in it. */
export interface RunArm {
  readonly directory: string;
  /** An arm's id, or a pattern with `*` for any part of one. */
  readonly arm: string;
}

/** A delay as written in a file. Measured delays are read from their run later. */
export type WrittenDelay = Delay | { readonly kind: "run"; readonly from: RunArm; readonly path: ValuePath };

/** The names of members that state a delay. */
export const delayKeys = ["ms", "uniform", "exponential", "lognormal", "measured", "run"] as const;

/** The only one of these members that is present. Throws a FakeError if none or several are. */
export function onlyKeyIn<K extends string>(json: JsonObject, keys: readonly K[], path: ValuePath): K {
  const given = keys.filter((key) => Object.hasOwn(json, key));
  const [first] = given;
  if (first !== undefined && given.length === 1) return first;
  const actual = given.length === 0 ? "none" : given.join(" and ");
  throw new FakeError("wrong-type", `expected one of ${keys.join(", ")}; got ${actual}`, { path });
}

/** A member as a number, which is validated later with all others. */
function numberIn(json: JsonObject, key: string): number {
  return (json[key] ?? null) as number;
}

/** A distribution that is written in the file itself, with its numbers not yet validated. */
function distributionOf(kind: Exclude<(typeof delayKeys)[number], "run">, json: JsonValue, path: ValuePath): Delay {
  const members = (...keys: readonly string[]): JsonObject => objectOf(json, keys, `a delay that is ${kind}`, path);
  switch (kind) {
    case "ms":
      return { kind: "constant", ms: json as number };
    case "uniform": {
      const object = members("fromMs", "toMs");
      return { kind, fromMs: numberIn(object, "fromMs"), toMs: numberIn(object, "toMs") };
    }
    case "exponential":
      return { kind, meanMs: numberIn(members("meanMs"), "meanMs") };
    case "lognormal": {
      const object = members("medianMs", "p99Ms");
      return { kind, medianMs: numberIn(object, "medianMs"), p99Ms: numberIn(object, "p99Ms") };
    }
    case "measured": {
      const values = listOf(members("valuesMs")["valuesMs"] ?? null, [...path, "valuesMs"]);
      return { kind, valuesMs: values as readonly number[] };
    }
  }
}

function runOf(json: JsonValue, path: ValuePath): WrittenDelay {
  const { directory, arm } = objectOf(json, ["directory", "arm"], "a run", path);
  if (typeof directory !== "string") throw expected("a run directory", directory ?? null, [...path, "directory"]);
  return { kind: "run", from: { directory, arm: textOf(arm, "*", [...path, "arm"]) }, path };
}

/** The delay among the members of an object. Throws a FakeError if none or several are present, or it is invalid. */
export function delayIn(json: JsonObject, path: ValuePath): WrittenDelay {
  const kind = onlyKeyIn(json, delayKeys, path);
  const [value, at]: [JsonValue, ValuePath] = [json[kind] ?? null, [...path, kind]];
  if (kind === "run") return runOf(value, at);
  const delay = distributionOf(kind, value, at);
  checkDelay(delay, at);
  return delay;
}
