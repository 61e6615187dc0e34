// Faults and latency around a service: first a call waits, then it goes wrong or goes on. A call without a rule passes as it is.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  ConnectionCut,
  only,
  onlyRequest,
  type Contract,
  type Interceptor,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { checkedPlan } from "./checked-plan.ts";
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

/** The rules of an operation; undefined where there are none. */
type RulesFor = (operation: Operation) => OperationRules | undefined;

/** Looks once for the rules of each operation of a contract, for all sessions. */
function rulesOnce(plan: FaultPlan): (contract: Contract) => RulesFor {
  const known = new WeakMap<Contract, RulesFor>();
  return (contract) => {
    const before = known.get(contract);
    if (before !== undefined) return before;
    const checked = checkedPlan(plan, contract);
    const rules = new Map(contract.operations.map((operation) => [operation.id, rulesOf(checked, operation)]));
    const rulesFor: RulesFor = ({ id }) => rules.get(id);
    known.set(contract, rulesFor);
    return rulesFor;
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
 * caller's deadline, and ends when the caller goes. Put around a service, it throws a FakeError for a plan that does not fit its contract.
 */
export function faulting(plan: FaultPlan, seed: number): Interceptor {
  const rulesIn = rulesOnce(plan);
  return (service) => {
    const rulesFor = rulesIn(service.contract);
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
