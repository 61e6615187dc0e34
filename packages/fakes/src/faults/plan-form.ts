// The form of a fault plan in a file: its members and their types.
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { checkFailure, failureOf } from "../stubs/failure-form.ts";
import { expected, listOf, objectOf } from "../files/form.ts";
import { checkShare } from "./checked-plan.ts";
import { delayIn, delayKeys, onlyKeyIn, type WrittenDelay } from "./delay-form.ts";
import type { Fault, FaultRule, LatencyRule } from "./fault-plan.ts";
import { faultPresets } from "./fault-presets.ts";
import { checkConcerned, namedOperations, type NamedOperations } from "./named-operations.ts";

type WrittenFault =
  | Exclude<Fault, { kind: "slow-stream" }>
  | { readonly kind: "slow-stream"; readonly between: WrittenDelay };

/** A plan as written, with measured delays not yet read. */
export interface WrittenPlan {
  readonly faults: readonly (Omit<FaultRule, "fault"> & { readonly fault: WrittenFault })[];
  readonly latencies: readonly (Omit<LatencyRule, "delay"> & { readonly delay: WrittenDelay })[];
}

const faultKeys = ["error", "drop", "truncate", "slow-stream"] as const;

/** A limit on rules, far above what people write. */
const mostRules = 10_000;

function namedIn({ operation }: JsonObject, contract: Contract, path: ValuePath): NamedOperations {
  const at = [...path, "operation"];
  if (typeof operation === "string") return namedOperations(operation, contract, at);
  throw expected("the name of an operation, or a pattern with *", operation ?? null, at);
}

function shareIn({ probability = 1 }: JsonObject, path: ValuePath): number {
  checkShare(probability, [...path, "probability"]);
  return probability as number;
}

function faultIn(json: JsonObject, path: ValuePath): WrittenFault {
  const kind = onlyKeyIn(json, faultKeys, path);
  const [value, at]: [JsonValue, ValuePath] = [json[kind] ?? null, [...path, kind]];
  switch (kind) {
    case "error": {
      const failure = failureOf(value, at);
      checkFailure(failure, at);
      return { kind, ...failure };
    }
    case "drop":
    case "truncate":
      if (value !== true) throw expected("true", value, at);
      return { kind };
    case "slow-stream":
      return { kind, between: delayIn(objectOf(value, delayKeys, "a slow stream", at), at) };
  }
}

function faultRuleOf(json: JsonValue, contract: Contract, path: ValuePath): WrittenPlan["faults"][number] {
  const rule = objectOf(json, ["operation", "probability", ...faultKeys], "a fault", path);
  const named = namedIn(rule, contract, path);
  const fault = faultIn(rule, path);
  checkConcerned(fault, named, [...path, fault.kind]);
  return { operation: named.operation, probability: shareIn(rule, path), fault };
}

function latencyRuleOf(json: JsonValue, contract: Contract, path: ValuePath): WrittenPlan["latencies"][number] {
  const rule = objectOf(json, ["operation", ...delayKeys], "a latency", path);
  return { operation: namedIn(rule, contract, path).operation, delay: delayIn(rule, path) };
}

function presetOf(json: JsonValue, path: ValuePath): WrittenPlan {
  const names = Object.keys(faultPresets);
  if (typeof json !== "string") throw expected(`the name of a preset (${names.join(", ")})`, json, path);
  if (Object.hasOwn(faultPresets, json)) return faultPresets[json as keyof typeof faultPresets];
  const text = `unknown preset "${json}"${suggestion(json, names)} (valid: ${names.join(", ")})`;
  throw new FakeError("unknown-field", text, { path });
}

function listIn<T>(json: JsonObject, key: string, read: (one: JsonValue, path: ValuePath) => T): readonly T[] {
  const all = listOf(json[key] ?? [], [key]);
  if (all.length <= mostRules) return all.map((one, index) => read(one, [key, index]));
  throw new FakeError("too-large", `expected at most ${mostRules} rules, got ${all.length}`, { path: [key] });
}

/** A plan from a file, with full operation ids. Throws a FakeError if the form is wrong. */
export function planOf(json: JsonValue, contract: Contract): WrittenPlan {
  const plan = objectOf(json, ["presets", "faults", "latencies"], "a fault plan", []);
  const own: WrittenPlan = {
    faults: listIn(plan, "faults", (rule, path) => faultRuleOf(rule, contract, path)),
    latencies: listIn(plan, "latencies", (rule, path) => latencyRuleOf(rule, contract, path)),
  };
  const presets = listIn(plan, "presets", presetOf);
  // Rules of the file apply before those of presets.
  return {
    faults: [own, ...presets].flatMap(({ faults }) => faults),
    latencies: [own, ...presets].flatMap(({ latencies }) => latencies),
  };
}
