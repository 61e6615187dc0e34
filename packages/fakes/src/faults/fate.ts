// What becomes of one call, decided before anything is done about it.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { Operation } from "@roundtrip/contract";
import { Attempts } from "./attempts.ts";
import { callKey, draw, type Chance } from "./decide.ts";
import { delayMs } from "./delays.ts";
import type { Fault } from "./fault-plan.ts";
import type { OperationRules } from "./operation-rules.ts";

export interface Fate {
  readonly latencyMs: number;
  readonly fault: Fault | undefined;
  /** For what is drawn later. */
  readonly chance: Chance;
}

/** Decides about the next call. @param request undefined for a stream of them: none is there yet when it is decided */
export type FateOf = (rules: OperationRules, operation: Operation, request: Message | undefined) => Fate;

function drawn({ latency, faults }: OperationRules, chance: Chance): Fate {
  const latencyMs = latency === undefined ? 0 : delayMs(latency, draw(chance, "latency"));
  const number = faults.length === 0 ? 0 : draw(chance, "fault");
  return { latencyMs, fault: faults.find(({ below }) => number < below)?.fault, chance };
}

/** Decides about the calls of one session, which it counts. */
export function fates(seed: number): FateOf {
  const attempts = new Attempts();
  const certain: Chance = { seed, key: "", attempt: 1 };
  const nothing = new Uint8Array();
  return (rules, { id, input }, request) => {
    // Where chance has no say, nobody has to look at the request.
    if (!rules.isRandom) return drawn(rules, certain);
    const key = callKey(id, request === undefined ? nothing : toBinary(input, request));
    return drawn(rules, { seed, key, attempt: attempts.next(key) });
  };
}
