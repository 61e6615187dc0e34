// An independent witness: the same requests sent by autocannon, closed loop, each response timed by its own event. Without a rate
// autocannon corrects nothing for coordinated omission, and its histogram (1 ms resolution) is not used.
import { fromJson } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect, type Settings } from "@roundtrip/stacks";
import autocannon from "autocannon";
import { bearerClient } from "./bearer-client.ts";
import { RunnerError } from "../basics/runner-error.ts";
import type { Plan } from "../study/study.ts";
import { captureRequest } from "./capture-request.ts";
import type { Execution, Notebook } from "./execute-plan.ts";
import { bodyHolds, sendCaptured } from "./send-captured.ts";

export interface AutocannonOptions {
  readonly contract: Contract;
  /** Gives the answer: autocannon sends the same bytes, so it gets the same. */
  readonly own: Execution;
  readonly plan: Plan;
  readonly callers: number;
  readonly url: string;
  readonly stack: string;
  /** Of the stack's client, whose request is learnt. */
  readonly settings: Settings;
  /** The environment variable with the bearer token to send; undefined sends none. */
  readonly tokenVariable: string | undefined;
  readonly notebook: Notebook;
}

/** Prepares the plan's only step for autocannon. Rejects with a RunnerError `bad-plan` when the plan has more than one. */
export async function autocannonExecution(options: AutocannonOptions): Promise<Execution> {
  const { contract, own, plan, callers, url, stack, settings, tokenVariable, notebook } = options;
  const [step, ...others] = plan.steps;
  if (step === undefined || others.length > 0) throw new RunnerError("bad-plan", "autocannon takes plans of one step");
  const operation = contract.operation(step.operation);
  const connect = await loadConnect(stack);
  const captured = await captureRequest(url, async (captureUrl) => {
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

  const expected = await sendCaptured(url, captured);
  const { recorder, meter, outcomes } = notebook;
  const noteFailure = (task: number, at: number): void => {
    if (!outcomes.includes("UNKNOWN")) outcomes.push("UNKNOWN");
    recorder.note(task, 0, at, at, outcomes.indexOf("UNKNOWN"), meter.bytesWritten, meter.bytesRead);
  };
  return {
    async answer() {
      const answer = await own.answer();
      if (bodyHolds(answer, await sendCaptured(url, captured))) return answer;
      throw new RunnerError(
        "answers-differ",
        `autocannon's request to ${stack} is not answered like our own; no number is given`,
      );
    },
    paced() {
      throw new RunnerError("bad-plan", "autocannon calls again at once: a task with a load takes our own clients");
    },
    run: (tasks) =>
      new Promise((resolve, reject) => {
        let task = 0;
        const instance = autocannon(
          {
            url: new URL(captured.path, url).href,
            connections: callers,
            amount: tasks,
            method: captured.method as NonNullable<autocannon.Options["method"]>,
            headers: { ...captured.headers },
            ...(captured.body.length > 0 ? { body: captured.body } : {}),
            expectBody: expected,
          },
          (error, { mismatches }) => {
            // Responses that never came are calls that failed, not calls that were never made.
            while (task < tasks) noteFailure(task++, performance.now());
            if (error) reject(error as Error);
            else if (mismatches === 0) resolve();
            else
              reject(
                new RunnerError(
                  "answers-differ",
                  `${mismatches} answers to autocannon were not like the first; no number is given`,
                ),
              );
          },
        );
        instance.on("response", (_client, status, _bytes, latencyMs) => {
          const endedAt = performance.now();
          if (status < 200 || status >= 300) noteFailure(task, endedAt);
          else recorder.note(task, 0, endedAt - latencyMs, endedAt, 0, meter.bytesWritten, meter.bytesRead);
          task += 1;
        });
      }),
  };
}
