// Checks a fault plan, from a file or a program, against its form and the contract.
import type { Contract, Operation } from "@roundtrip/contract";
import { suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { operationNamed } from "../basics/names.ts";
import type { FaultPlan, FaultRule, LatencyRule } from "./fault-plan.ts";
import { answersWithStream, matchesOperation } from "./operation-rules.ts";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { checkFailure, failureOf } from "../stubs/stub-form.ts";
import { expected, listOf, objectOf } from "../files/form.ts";
import { checkDelay, delayKeys, onlyKeyIn } from "./delays.ts";
import { faultPresets } from "./fault-presets.ts";

interface NamedOperations {
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

const faultKeys = ["error", "drop", "truncate", "slow-stream"] as const;

/** A limit on rules, far above what people write. */
const mostRules = 10_000;

function namedIn({ operation }: JsonObject, contract: Contract, path: ValuePath): NamedOperations {
  const at = [...path, "operation"];
  if (typeof operation === "string") return namedOperations(operation, contract, at);
  throw expected("the name of an operation, or a pattern with *", operation ?? null, at);
}

/** Throws a FakeError for an invalid fault, or one that the operation cannot have. Of a pattern's operations, those that can have it get it. */
function checkFault(rule: JsonObject, { operation, operations }: NamedOperations, path: ValuePath): void {
  const kind = onlyKeyIn(rule, faultKeys, path);
  const [value, at]: [JsonValue, ValuePath] = [rule[kind] ?? null, [...path, kind]];
  if (kind === "error") checkFailure(failureOf(value, at), at);
  else if (kind !== "slow-stream") {
    if (value !== true) throw expected("true", value, at);
  } else {
    checkDelay(objectOf(value, delayKeys, "a slow stream", at), at);
    if (operation.includes("*") || operations.some(answersWithStream)) return;
    throw new FakeError("wrong-type", `${operation} does not return a stream: use a latency`, { path: at });
  }
}

function faultRuleOf(json: JsonValue, contract: Contract, path: ValuePath): FaultRule {
  const rule = objectOf(json, ["operation", "probability", ...faultKeys], "a fault", path);
  const named = namedIn(rule, contract, path);
  checkFault(rule, named, path);
  const { probability = 1 } = rule;
  if (typeof probability !== "number" || probability < 0 || probability > 1) {
    throw expected("a share of the calls, 0 to 1", probability, [...path, "probability"]);
  }
  return { ...rule, operation: named.operation } as unknown as FaultRule;
}

function latencyRuleOf(json: JsonValue, contract: Contract, path: ValuePath): LatencyRule {
  const rule = objectOf(json, ["operation", ...delayKeys], "a latency", path);
  const { operation } = namedIn(rule, contract, path);
  checkDelay(rule, path);
  return { ...rule, operation } as unknown as LatencyRule;
}

function presetOf(json: JsonValue, path: ValuePath): FaultPlan {
  const names = Object.keys(faultPresets);
  if (typeof json !== "string") throw expected(`the name of a preset (${names.join(", ")})`, json, path);
  if (Object.hasOwn(faultPresets, json)) return faultPresets[json as keyof typeof faultPresets];
  const text = `unknown preset "${json}"${suggestion(json, names)} (valid: ${names.join(", ")})`;
  throw new FakeError("unknown-field", text, { path });
}

function listIn<T>(json: JsonObject, key: string, read: (rule: JsonValue, path: ValuePath) => T): readonly T[] {
  const all = listOf(json[key] ?? [], [key]);
  if (all.length <= mostRules) return all.map((rule, index) => read(rule, [key, index]));
  throw new FakeError("too-large", `expected at most ${mostRules} rules, got ${all.length}`, { path: [key] });
}

/**
 * The plan with full operation ids and the rules of its presets. Throws a FakeError for unknown operations and invalid values.
 * Delays that name a run are kept.
 */
export function checkedPlan(json: JsonValue, contract: Contract): FaultPlan {
  const plan = objectOf(json, ["presets", "faults", "latencies"], "a fault plan", []);
  const own: FaultPlan = {
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
