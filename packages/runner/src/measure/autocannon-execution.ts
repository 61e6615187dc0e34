// An independent witness: the same requests sent by autocannon, closed loop, each response timed by its own event. Without a rate
// autocannon corrects nothing for coordinated omission, and its histogram (1 ms resolution) is not used.
import { fromJson } from "@bufbuild/protobuf";
import type { Contract } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import autocannon from "autocannon";
import { RunnerError } from "../runner-error.ts";
import type { Plan } from "../study.ts";
import { captureRequest } from "./capture-request.ts";
import type { Execution, Notebook } from "./execute-plan.ts";

export interface AutocannonOptions {
  readonly contract: Contract;
  /** Gives the answer: autocannon sends the same bytes, so it gets the same. */
  readonly own: Execution;
  readonly plan: Plan;
  readonly callers: number;
  readonly url: string;
  readonly stack: string;
  readonly notebook: Notebook;
}

/** Prepares the plan's only step for autocannon. Rejects with a RunnerError `bad-plan` when the plan has more than one. */
export async function autocannonExecution(options: AutocannonOptions): Promise<Execution> {
  const { contract, own, plan, callers, url, stack, notebook } = options;
  const [step, ...others] = plan.steps;
  if (step === undefined || others.length > 0) throw new RunnerError("bad-plan", "autocannon takes plans of one step");
  const operation = contract.operation(step.operation);
  const connect = await loadConnect(stack);
  const captured = await captureRequest(url, async (captureUrl) => {
    const client = await connect(contract, { ...connectDefaults, url: captureUrl });
    try {
      await client.prepare(operation)(fromJson(operation.input, step.request, { registry: contract.registry }));
    } finally {
      await client.close();
    }
  });

  const { recorder, meter, outcomes } = notebook;
  return {
    answer: () => own.answer(),
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
          },
          (error) => (error ? reject(error as Error) : resolve()),
        );
        instance.on("response", (_client, status, _bytes, latencyMs) => {
          const endedAt = performance.now();
          const ok = status >= 200 && status < 300;
          if (!ok && !outcomes.includes("UNKNOWN")) outcomes.push("UNKNOWN");
          const outcome = ok ? 0 : outcomes.indexOf("UNKNOWN");
          recorder.note(task, 0, endedAt - latencyMs, endedAt, outcome, meter.bytesWritten, meter.bytesRead);
          task += 1;
        });
      }),
  };
}
