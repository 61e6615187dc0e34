// Faults and latency around a service: first a call waits, then it goes wrong or goes on. A call without a rule passes as it is.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ConnectionCut,
  only,
  onlyRequest,
  type Interceptor,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { fates, type Fate } from "./fate.ts";
import type { Fault, FaultPlan } from "./fault-plan.ts";
import { answersWithStream, rulesOf, type OperationRules } from "./operation-rules.ts";
import { slowed, truncated, truncatedStream } from "./spoiled-answers.ts";
import { isWaitable, wait } from "./wait.ts";

/** Throws for a fault that needs no answer. */
function failAtOnce(fault: Fault | undefined): void {
  if (fault?.kind === "error") throw new CallError(fault.code, fault.message, fault.details);
  if (fault?.kind === "drop") throw new ConnectionCut();
}

function answered(
  service: Service,
  fault: Fault | undefined,
  ...[operation, request, call]: Parameters<Service["call"]>
): Message | Promise<Message> {
  failAtOnce(fault);
  const answer = (): Message | Promise<Message> => service.call(operation, request, call);
  return fault?.kind === "truncate" ? truncated(answer) : answer();
}

async function* answeredStream(
  service: Service,
  decide: (request: Message | undefined) => Fate,
  ...[operation, requests, call]: Parameters<Service["stream"]>
): AsyncGenerator<Message, void, undefined> {
  const request = operation.kind === "server_streaming" ? await onlyRequest(requests) : undefined;
  const { latencyMs, fault, chance } = decide(request);
  if (isWaitable(latencyMs)) await wait(latencyMs, call.signal);
  failAtOnce(fault);
  const answers = service.stream(operation, request === undefined ? requests : only(request), call);
  // Who is promised one message gets none of it whole.
  if (fault?.kind === "truncate") yield* truncatedStream(answers, answersWithStream(operation) ? 1 : 0);
  else if (fault?.kind === "slow-stream") yield* slowed(answers, fault.between, { chance, signal: call.signal });
  else yield* answers;
}

/** Looks for the rules of each operation once, for all sessions. */
function rulesOnce(plan: FaultPlan): (operation: Operation) => OperationRules | undefined {
  const known = new WeakMap<Operation, { readonly rules: OperationRules | undefined }>();
  return (operation) => {
    let found = known.get(operation);
    if (found === undefined) known.set(operation, (found = { rules: rulesOf(plan, operation) }));
    return found.rules;
  };
}

/** Waits, unless the call ends meanwhile, and then asks. */
async function later(ms: number, { signal }: ServerCall, answer: () => Message | Promise<Message>): Promise<Message> {
  await wait(ms, signal);
  return await answer();
}

/**
 * The plan around a service. What happens to a call follows from the seed, its operation, its request, and how often that very request was
 * made of this service before: it is the same in every run, whatever else is called at the same time. Latency counts against the
 * caller's deadline, and ends when the caller goes.
 */
export function faulting(plan: FaultPlan, seed: number): Interceptor {
  const rulesFor = rulesOnce(plan);
  return (service) => {
    const fateOf = fates(seed);
    return {
      contract: service.contract,
      // What a style serves beside the contract is no part of the plan.
      guard: (other) => service.guard(other),
      call(operation, request, call) {
        const rules = rulesFor(operation);
        if (rules === undefined) return service.call(operation, request, call);
        const { latencyMs, fault } = fateOf(rules, operation, request);
        if (!isWaitable(latencyMs)) return answered(service, fault, operation, request, call);
        return later(latencyMs, call, () => answered(service, fault, operation, request, call));
      },
      stream(operation, requests, call) {
        const rules = rulesFor(operation);
        if (rules === undefined) return service.stream(operation, requests, call);
        const decide = (request: Message | undefined): Fate => fateOf(rules, operation, request);
        return answeredStream(service, decide, operation, requests, call);
      },
    };
  };
}
