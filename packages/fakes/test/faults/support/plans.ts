// Plans of one rule, applied to the service with known answers.
import type { Service } from "@roundtrip/contract";
import { faulting } from "../../../src/faults/faulting.ts";
import { noFaults, type Delay, type Fault, type FaultPlan } from "../../../src/faults/fault-plan.ts";
import { answering } from "./answering.ts";

export const unavailable = { error: { code: "UNAVAILABLE", message: "try again" } } as const satisfies Fault;

export function always(fault: Fault, operation = "*"): FaultPlan {
  return { ...noFaults, faults: [{ operation, ...fault }] };
}

export function slowBy(delay: Delay, operation = "*"): FaultPlan {
  return { ...noFaults, latencies: [{ operation, ...delay }] };
}

export function faulty(plan: FaultPlan, seed = 1): Service {
  return faulting(plan, seed)(answering);
}
