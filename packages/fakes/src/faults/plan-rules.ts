// The rules of a fault plan for the operations of a contract, found once for all calls.
import type { Contract, Operation } from "@roundtrip/contract";
import { matchesStars, suggestion } from "@roundtrip/contract/text";
import { FakeError, type ValuePath } from "../basics/fake-error.ts";
import { answersWithStream, operationNamed } from "../basics/names.ts";
import { checked } from "../files/checked.ts";
import {
  type Delay,
  type Fault,
  type FaultPlan,
  faultPresets,
  type FaultRule,
  faultSchemas,
  type LatencyRule,
} from "./fault-schema.ts";

/** The operations whose id ends with this name or matches this pattern. Throws a FakeError if there are none. */
function operationsNamed(name: string, contract: Contract, path: ValuePath): readonly Operation[] {
  if (!name.includes("*")) return [operationNamed(contract, name, path)];
  const operations = contract.operations.filter(({ id }) => matchesStars(name, id));
  // `*` is never a typing mistake, even in an empty contract.
  if (operations.length > 0 || name === "*") return operations;
  const ids = contract.operations.map(({ id }) => id);
  const nearest = suggestion(name.replaceAll("*", ""), ids);
  throw new FakeError("unknown-operation", `no operation of the contract matches "${name}"${nearest}`, { path });
}

/** A rule with the operations that it names. */
interface ResolvedRule<R> {
  readonly rule: R;
  readonly operations: ReadonlySet<Operation>;
}

export interface ResolvedPlan {
  readonly faults: readonly ResolvedRule<FaultRule>[];
  readonly latencies: readonly ResolvedRule<Delay>[];
}

/** A plan with the rules of its presets, which apply after its own. */
export function withPresets({ presets = [], faults = [], latencies = [] }: FaultPlan): {
  readonly faults: readonly FaultRule[];
  readonly latencies: readonly LatencyRule[];
} {
  const plans: readonly FaultPlan[] = presets.map((name) => faultPresets[name]);
  return {
    faults: [...faults, ...plans.flatMap((plan) => plan.faults ?? [])],
    latencies: [...latencies, ...plans.flatMap((plan) => plan.latencies ?? [])],
  };
}

/** Checks a plan, also one of a program, and finds its operations. Throws a FakeError for unknown operations and invalid values. */
export function resolvedPlan(written: FaultPlan, contract: Contract): ResolvedPlan {
  const { faults, latencies } = withPresets(checked(faultSchemas().plan, written, []));
  return {
    faults: faults.map((rule, index) => {
      const path = ["faults", index];
      const operations = operationsNamed(rule.operation, contract, [...path, "operation"]);
      if (rule["slow-stream"] !== undefined && !rule.operation.includes("*") && !operations.some(answersWithStream)) {
        const text = `${operations[0]?.id ?? ""} does not return a stream: use a latency`;
        throw new FakeError("wrong-type", text, { path: [...path, "slow-stream"] });
      }
      return { rule, operations: new Set(operations) };
    }),
    latencies: latencies.map((rule, index) => {
      const path = ["latencies", index, "operation"];
      return { rule, operations: new Set(operationsNamed(rule.operation, contract, path)) };
    }),
  };
}

/** A fault with its range of draws: below this bound, and not below that of the previous fault. */
interface FaultShare {
  readonly fault: Fault;
  readonly below: number;
}

export interface OperationRules {
  readonly latency: Delay | undefined;
  readonly faults: readonly FaultShare[];
}

/** The rules of a plan for this operation; undefined if there are none. */
export function rulesOf({ faults, latencies }: ResolvedPlan, operation: Operation): OperationRules | undefined {
  const latency = latencies.find(({ operations }) => operations.has(operation))?.rule;
  let below = 0;
  const shares = faults
    .filter(({ rule, operations }) => {
      return operations.has(operation) && (rule["slow-stream"] === undefined || answersWithStream(operation));
    })
    .map(({ rule }): FaultShare => ({ fault: rule, below: (below += rule.probability ?? 1) }));
  if (latency === undefined && shares.length === 0) return undefined;
  return { latency, faults: shares };
}
