// The form of a fault plan in a file: its members and their types.
import type { Contract, Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/names.ts";
import type { Fault, FaultPlan, FaultRule, LatencyRule } from "./fault-plan.ts";
import { answersWithStream, matchesOperation } from "./operation-rules.ts";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { checkFailure, failureOf } from "../stubs/stub-form.ts";
import { expected, listOf, objectOf } from "../files/form.ts";
import { checkDelay, delayIn, delayKeys, onlyKeyIn, type WrittenDelay } from "./delays.ts";
import { faultPresets } from "./fault-presets.ts";

export interface NamedOperations {
  /** An operation's id, or the pattern. */
  readonly operation: string;
  /** At least one, except for `*`. */
  readonly operations: readonly Operation[];
}

/**
 * The operations whose id ends with this name or matches this pattern. Throws a FakeError if there are none.
 * @param path the path of the name
 */
function namedOperations(name: string, contract: Contract, path: ValuePath): NamedOperations {
  if (!name.includes("*")) {
    const operation = operationNamed(contract, name, path);
    return { operation: operation.id, operations: [operation] };
  }
  const operations = contract.operations.filter(({ id }) => matchesOperation(name, id));
  // `*` is never a typing mistake, even in an empty contract.
  if (operations.length > 0 || name === "*") return { operation: name, operations };
  const known = contract.operations.map(({ id }) => id);
  const nearest = suggestion(name.replaceAll("*", ""), known);
  throw new FakeError("unknown-operation", `no operation of the contract matches "${name}"${nearest}`, { path });
}

/** Throws a FakeError for a fault that the operation cannot have. Of a pattern's operations, those that can have it get it. */
function checkConcerned(
  { kind }: Pick<Fault, "kind">,
  { operation, operations }: NamedOperations,
  path: ValuePath,
): void {
  if (kind !== "slow-stream" || operation.includes("*") || operations.some(answersWithStream)) return;
  throw new FakeError("wrong-type", `${operation} does not return a stream: use a latency`, { path });
}

/** Throws a FakeError unless it is a share. */
function checkShare(probability: JsonValue, path: ValuePath): void {
  if (typeof probability === "number" && probability >= 0 && probability <= 1) return;
  throw expected("a share of the calls, 0 to 1", probability, path);
}

function checkFault(fault: Fault, path: ValuePath): void {
  if (fault.kind === "error") checkFailure(fault, path);
  else if (fault.kind === "slow-stream") checkDelay(fault.between, [...path, "between"]);
}

/** The plan with full operation ids. Throws a FakeError for unknown operations and invalid values. */
export function checkedPlan({ faults, latencies }: FaultPlan, contract: Contract): FaultPlan {
  return {
    faults: faults.map((rule, index) => {
      const path = ["faults", index];
      const named = namedOperations(rule.operation, contract, [...path, "operation"]);
      checkShare(rule.probability, [...path, "probability"]);
      checkFault(rule.fault, [...path, "fault"]);
      checkConcerned(rule.fault, named, [...path, "fault"]);
      return { ...rule, operation: named.operation };
    }),
    latencies: latencies.map((rule, index) => {
      const path = ["latencies", index];
      checkDelay(rule.delay, [...path, "delay"]);
      return { ...rule, operation: namedOperations(rule.operation, contract, [...path, "operation"]).operation };
    }),
  };
}

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
