// Runs the same requests with autocannon as an independent check: closed loop, each response timed by its own event. Without a rate, autocannon does
// not correct for coordinated omission; its histogram (1 ms resolution) is not used.
import { fromJson } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect, type Settings } from "@roundtrip/stacks";
import autocannon from "autocannon";
import { bearerClient } from "./ready-call.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { Plan } from "../study/study.ts";
import { captureRequest, type CapturedRequest, bodyHolds, sendCaptured } from "./capture-request.ts";
import type { CallLog } from "./call-timer.ts";
import type { Execution } from "./execute-plan.ts";

export interface AutocannonOptions {
  readonly contract: Contract;
  /** Provides the answer: autocannon sends the same bytes, so it gets the same answer. */
  readonly own: Execution;
  readonly plan: Plan;
  readonly callers: number;
  readonly url: string;
  readonly stack: string;
  /** Settings of the stack's client, whose request is captured. */
  readonly settings: Settings;
  /** The environment variable with the bearer token to send; undefined sends none. */
  readonly tokenVariable: string | undefined;
  readonly callLog: CallLog;
}

/** The request of autocannon, and the body of every correct answer. */
interface CapturedCall {
  readonly captured: CapturedRequest;
  readonly expected: string;
}

/** The request of the plan's only step, as the stack's own client sends it. Rejects with a RunnerError `bad-plan` for more than one step. */
async function captureStep(options: AutocannonOptions): Promise<CapturedRequest> {
  const { contract, plan, url, stack, settings, tokenVariable } = options;
  const [step, ...others] = plan.steps;
  if (step === undefined || others.length > 0) throw new RunnerError("bad-plan", "autocannon takes plans of one step");
  const operation = contract.operation(step.operation);
  const connect = await loadConnect(stack);
  return captureRequest(url, async (captureUrl) => {
    const client = bearerClient(
      await connect(contract, { ...connectDefaults, url: captureUrl, settings }),
      tokenVariable,
    );
    try {
      await client.prepare(operation)(fromJson(operation.input, step.request, { registry: contract.registry }));
    } finally {
      await client.close();
    }
  });
}

function loadOf(
  { callers, url }: AutocannonOptions,
  { captured, expected }: CapturedCall,
  amount: number,
): autocannon.Options {
  return {
    url: new URL(captured.path, url).href,
    connections: callers,
    amount,
    method: captured.method as NonNullable<autocannon.Options["method"]>,
    headers: { ...captured.headers },
    ...(captured.body.length > 0 ? { body: captured.body } : {}),
    // autocannon reads bodies as text in pieces, which are not the same for bytes.
    ...(expected.includes("\uFFFD") ? {} : { expectBody: expected }),
  };
}

/** Records answers, and calls without one, in the order in which they end. */
function answerLog({
  recorder,
  meter,
  outcomes,
}: CallLog): (startedAtMs: number, endedAtMs: number, outcome: string) => number {
  let count = 0;
  return (startedAtMs, endedAtMs, outcome) => {
    if (!outcomes.includes(outcome)) outcomes.push(outcome);
    const row = recorder.record(count, 0, startedAtMs, endedAtMs);
    recorder.recordEnd(row, outcomes.indexOf(outcome), meter.bytesWritten, meter.bytesRead);
    count += 1;
    return count;
  };
}

/** Sends the request this many times with autocannon. Rejects with a RunnerError `answers-differ` if an answer differs from the first. */
function send(options: AutocannonOptions, call: CapturedCall, tasks: number): Promise<void> {
  const note = answerLog(options.callLog);
  let answered = 0;
  return new Promise((resolve, reject) => {
    const instance = autocannon(loadOf(options, call, tasks), (error, { mismatches }) => {
      // A missing response is a failed call, not one that was never made.
      while (answered < tasks) {
        const atMs = performance.now();
        answered = note(atMs, atMs, "UNKNOWN");
      }
      if (error) reject(error as Error);
      else if (mismatches === 0) resolve();
      else
        reject(
          new RunnerError(
            "answers-differ",
            `${mismatches} answers to autocannon differ from the first; no number is given`,
          ),
        );
    });
    instance.on("response", (_client, status, _bytes, latencyMs) => {
      const endedAtMs = performance.now();
      const isDone = status >= 200 && status < 300;
      answered = note(isDone ? endedAtMs - latencyMs : endedAtMs, endedAtMs, isDone ? "OK" : "UNKNOWN");
    });
  });
}

/** Prepares the plan's only step for autocannon. Rejects with a RunnerError `bad-plan` for more than one step. */
export async function autocannonExecution(options: AutocannonOptions): Promise<Execution> {
  const { own, url, stack } = options;
  const captured = await captureStep(options);
  const expected = await sendCaptured(url, captured);
  return {
    async answer() {
      const answer = await own.answer();
      if (bodyHolds(answer, await sendCaptured(url, captured))) return answer;
      throw new RunnerError(
        "answers-differ",
        `the answer to autocannon's request to ${stack} differs from that to Roundtrip's client; no number is given`,
      );
    },
    paced() {
      throw new RunnerError(
        "bad-plan",
        "autocannon is closed-loop only: remove `load`, or use Roundtrip's own clients",
      );
    },
    run: (tasks) => send(options, { captured, expected }, tasks),
    warm: (tasks) => own.warm(tasks),
  };
}
