// Applies faults and latencies around a service: a call waits, then fails or continues. Calls without a rule are passed on unchanged.
import type { Message } from "@bufbuild/protobuf";
import {
  ConnectionCut,
  only,
  onlyRequest,
  type Contract,
  type Interceptor,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import { answersWithStream } from "../basics/names.ts";
import { callErrorOf } from "../files/written-error.ts";
import { drawDelayMs, type DrawKey, type FaultDecision, faultDecisions } from "./decide.ts";
import type { Fault, FaultPlan, Delay } from "./fault-schema.ts";
import { resolvedPlan, rulesOf } from "./plan-rules.ts";

/** Whether this time is long enough for a timer. */
function isWaitable(ms: number): boolean {
  return ms >= 0.5;
}

/**
 * Resolves after this time, in whole milliseconds as timers count. Rejects with the signal's reason as soon as it aborts, and leaves no timer
 * running.
 */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, Math.round(ms));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Cuts an answer in its middle. A call that fails is cut too, without the error. */
async function truncated(answer: () => Message | Promise<Message>): Promise<never> {
  let message: Message;
  try {
    message = await answer();
  } catch {
    throw new ConnectionCut();
  }
  throw new ConnectionCut(message);
}

/** The first `whole` messages, and the next one cut in its middle. A shorter or failing stream ends without its proper end. */
async function* truncatedStream(
  messages: AsyncIterable<Message>,
  whole: number,
): AsyncGenerator<Message, void, undefined> {
  let index = 0;
  try {
    for await (const message of messages) {
      if (index === whole) throw new ConnectionCut(message);
      index += 1;
      yield message;
    }
  } catch (thrown) {
    throw thrown instanceof ConnectionCut ? thrown : new ConnectionCut();
  }
  throw new ConnectionCut();
}

/** The same messages, each after a delay. The signal ends the delay. */
async function* slowed(
  messages: AsyncIterable<Message>,
  between: Delay,
  { drawKey, signal }: { readonly drawKey: DrawKey; readonly signal: AbortSignal },
): AsyncGenerator<Message, void, undefined> {
  let index = 0;
  for await (const message of messages) {
    const ms = drawDelayMs(between, drawKey, `message ${index}`);
    if (isWaitable(ms)) await wait(ms, signal);
    index += 1;
    yield message;
  }
}

/** Throws for faults that need no answer. */
function failAtOnce({ error, drop }: Fault): void {
  if (error !== undefined) throw callErrorOf(error);
  if (drop !== undefined) throw new ConnectionCut();
}

function answered(
  service: Service,
  fault: Fault,
  ...[operation, request, call]: Parameters<Service["call"]>
): Message | Promise<Message> {
  failAtOnce(fault);
  const answer = (): Message | Promise<Message> => service.call(operation, request, call);
  return fault.truncate === undefined ? answer() : truncated(answer);
}

async function* answeredStream(
  service: Service,
  decide: (request: Message | undefined) => FaultDecision,
  ...[operation, requests, call]: Parameters<Service["stream"]>
): AsyncGenerator<Message, void, undefined> {
  const request = operation.kind === "server_streaming" ? await onlyRequest(requests) : undefined;
  const { latencyMs, fault, drawKey } = decide(request);
  if (isWaitable(latencyMs)) await wait(latencyMs, call.signal);
  failAtOnce(fault);
  const answers = service.stream(operation, request === undefined ? requests : only(request), call);
  // A caller that expects one message gets none.
  const { truncate, "slow-stream": slow } = fault;
  if (truncate !== undefined) yield* truncatedStream(answers, answersWithStream(operation) ? 1 : 0);
  else if (slow !== undefined) yield* slowed(answers, slow, { drawKey, signal: call.signal });
  else yield* answers;
}

/** Waits, unless the call ends meanwhile, and then calls the service. */
async function later(ms: number, { signal }: ServerCall, answer: () => Message | Promise<Message>): Promise<Message> {
  await wait(ms, signal);
  return await answer();
}

/**
 * Applies the plan to a service. What happens to a call depends on the seed, the operation, the request, and how often this request was made of this
 * service. It is the same in every run, whatever other calls are made. Latency counts against the caller's deadline, and ends when the caller
 * cancels. Throws a FakeError if the plan does not fit the contract.
 */
export function faulting(contract: Contract, plan: FaultPlan, seed: number): Interceptor {
  const resolved = resolvedPlan(plan, contract);
  const rulesById = new Map(contract.operations.map((operation) => [operation.id, rulesOf(resolved, operation)]));
  return (service) => {
    const decide = faultDecisions(seed);
    return {
      contract,
      // The plan does not affect what a style serves beside the contract.
      guard: (beside) => service.guard(beside),
      call(operation, request, call) {
        const rules = rulesById.get(operation.id);
        if (rules === undefined) return service.call(operation, request, call);
        const { latencyMs, fault } = decide(rules, operation, request);
        if (!isWaitable(latencyMs)) return answered(service, fault, operation, request, call);
        return later(latencyMs, call, () => answered(service, fault, operation, request, call));
      },
      stream(operation, requests, call) {
        const rules = rulesById.get(operation.id);
        if (rules === undefined) return service.stream(operation, requests, call);
        const decideFor = (request: Message | undefined): FaultDecision => decide(rules, operation, request);
        return answeredStream(service, decideFor, operation, requests, call);
      },
    };
  };
}
