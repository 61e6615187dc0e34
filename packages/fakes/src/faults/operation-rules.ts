// The rules of a plan for one operation, found once for all of its calls.
import type { Operation } from "@roundtrip/contract";
import type { Delay, Fault, FaultPlan } from "./fault-plan.ts";

export function matchesOperation(pattern: string, id: string): boolean {
  const [begin = "", ...rest] = pattern.split("*");
  const end = rest.pop();
  if (end === undefined) return pattern === id;
  if (!id.startsWith(begin)) return false;
  // Parts between two stars are searched from left to right: the first match leaves the most for the next.
  let at = begin.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return id.length - end.length >= at && id.endsWith(end);
}

/** A fault with its range of draws: below this bound, and not below that of the previous fault. */
export interface FaultShare {
  readonly fault: Fault;
  readonly below: number;
}

export interface OperationRules {
  readonly latency: Delay | undefined;
  readonly faults: readonly FaultShare[];
  readonly isRandom: boolean;
}

export function answersWithStream({ kind }: Operation): boolean {
  return kind === "server_streaming" || kind === "bidi_streaming";
}

function concerns(fault: Fault, operation: Operation): boolean {
  return !("slow-stream" in fault) || answersWithStream(operation);
}

function isRandomDelay(delay: Delay | undefined): boolean {
  return delay !== undefined && !("ms" in delay);
}

function isRandomShare({ fault, below }: FaultShare): boolean {
  return below < 1 || ("slow-stream" in fault && isRandomDelay(fault["slow-stream"]));
}

/** The rules of a plan that name this operation; undefined if none does. */
export function rulesOf({ faults, latencies }: FaultPlan, operation: Operation): OperationRules | undefined {
  const latency = latencies.find((rule) => matchesOperation(rule.operation, operation.id));
  let below = 0;
  const shares = faults
    .filter((rule) => matchesOperation(rule.operation, operation.id) && concerns(rule, operation))
    .map((fault): FaultShare => ({ fault, below: (below += fault.probability ?? 1) }));
  if (latency === undefined && shares.length === 0) return undefined;
  return { latency, faults: shares, isRandom: isRandomDelay(latency) || shares.some(isRandomShare) };
}
