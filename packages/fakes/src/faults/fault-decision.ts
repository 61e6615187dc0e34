// Decides which fault and latency apply to a call, before any has an effect.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { Attempts } from "./attempts.ts";
import { callKey, draw, type DrawKey } from "./decide.ts";
import { delayMs } from "./delays.ts";
import type { Fault } from "./fault-plan.ts";
import type { OperationRules } from "./operation-rules.ts";

export interface FaultDecision {
  readonly latencyMs: number;
  readonly fault: Fault | undefined;
  /** For what is drawn later. */
  readonly drawKey: DrawKey;
}

/** Decides about the next call. @param request undefined for a stream of requests, of which none has arrived yet */
export type DecideFaults = (rules: OperationRules, operation: Operation, request: Message | undefined) => FaultDecision;

function drawn({ latency, faults }: OperationRules, drawKey: DrawKey): FaultDecision {
  const latencyMs = latency === undefined ? 0 : delayMs(latency, draw(drawKey, "latency"));
  const number = faults.length === 0 ? 0 : draw(drawKey, "fault");
  return { latencyMs, fault: faults.find(({ below }) => number < below)?.fault, drawKey };
}

/** Decides about the calls of one session, and counts them. */
export function faultDecisions(seed: number): DecideFaults {
  const attempts = new Attempts();
  const certain: DrawKey = { seed, key: "", attempt: 1 };
  const nothing = new Uint8Array();
  return (rules, { id, input }, request) => {
    // If nothing is random, the request is not needed.
    if (!rules.isRandom) return drawn(rules, certain);
    const key = callKey(id, request === undefined ? nothing : toBinary(input, request));
    return drawn(rules, { seed, key, attempt: attempts.next(key) });
  };
}
