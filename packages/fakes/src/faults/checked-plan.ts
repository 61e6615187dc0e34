// Checks a plan from a program against the contract, for errors that a compiler cannot find.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import type { ValuePath } from "../basics/fake-error.ts";
import { checkFailure } from "../stubs/failure-form.ts";
import { expected } from "../files/form.ts";
import { checkDelay } from "./delays.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";
import { checkConcerned, namedOperations } from "./named-operations.ts";

/** Throws a FakeError unless it is a share. */
export function checkShare(probability: JsonValue, path: ValuePath): void {
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
