// Turns a plan into calls on a client and times each of them.
import { fromJson, toJson, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, type Client, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import { RunnerError } from "../runner-error.ts";
import type { Plan, Step } from "../study.ts";
import type { Recorder } from "./recorder.ts";
import type { WireMeter } from "./wire-meter.ts";

/** Where a timed execution writes. */
export interface Notebook {
  readonly recorder: Recorder;
  readonly meter: WireMeter;
  /** Index of an outcome by name, growing as outcomes are seen; OK is 0. */
  readonly outcomes: string[];
}

/** A plan that is ready to run on one client. */
export interface Execution {
  /** Runs it this many times and notes every call. Failed calls are noted by their code, never thrown. */
  run(tasks: number): Promise<void>;
  /** Runs it once, untimed, and gives the merged answer. Rejects with the first call's CallError. */
  answer(): Promise<JsonObject>;
}

interface ReadyStep {
  readonly operation: Operation;
  readonly request: Message;
}

function readyStep(contract: Contract, step: Step): ReadyStep {
  try {
    const operation = contract.operation(step.operation);
    return { operation, request: fromJson(operation.input, step.request, { registry: contract.registry }) };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new RunnerError("bad-plan", `${step.operation}: ${why}`, { cause });
  }
}

function outcomeOf(thrown: unknown, outcomes: string[]): number {
  const { code } = CallError.from(thrown);
  const known = outcomes.indexOf(code);
  return known === -1 ? outcomes.push(code) - 1 : known;
}

/** A closed loop: each caller takes the next task as soon as its last one has ended. */
async function closedLoop(tasks: number, callers: number, runTask: (task: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < tasks) await runTask(next++);
  };
  if (callers === 1) await caller();
  else await Promise.all(Array.from({ length: callers }, caller));
}

/** Prepares a plan. Throws a RunnerError `bad-plan` when the contract does not have what it asks for. */
export function prepareExecution(
  contract: Contract,
  client: Client,
  plan: Plan,
  callers: number,
  notebook: Notebook,
): Execution {
  const steps = plan.steps.map((step) => readyStep(contract, step));
  const { recorder, meter, outcomes } = notebook;
  const now = performance.now.bind(performance);

  // One timed call. `performance.now()` is read right before and right after; everything else happens outside the two.
  const timed = async (task: number, step: number, call: () => Promise<unknown>): Promise<void> => {
    let outcome = 0;
    let endedAt: number;
    const startedAt = now();
    try {
      await call();
      endedAt = now();
    } catch (thrown) {
      endedAt = now();
      outcome = outcomeOf(thrown, outcomes);
    }
    recorder.note(task, step, startedAt, endedAt, outcome, meter.bytesWritten, meter.bytesRead);
  };

  const merge = (responses: readonly Message[]): JsonObject => {
    const merged: Record<string, JsonValue> = {};
    for (const [index, response] of responses.entries()) {
      const step = steps[index];
      if (step === undefined) continue;
      const json = toJson(step.operation.output, response, { registry: contract.registry, alwaysEmitImplicit: false });
      if (json !== null && typeof json === "object" && !Array.isArray(json)) Object.assign(merged, json);
    }
    return merged;
  };

  if (plan.order === "together") {
    const invoke = client.prepareTogether(steps.map((step) => step.operation));
    const requests = steps.map((step) => step.request);
    return {
      run: (tasks) => closedLoop(tasks, callers, (task) => timed(task, 0, () => invoke(requests))),
      answer: async () => merge(await invoke(requests)),
    };
  }

  // One prepared invoke per operation, as a client program would keep it.
  const prepared = new Map<Operation, Invoke>();
  const calls = steps.map(({ operation, request }) => {
    const invoke = prepared.get(operation) ?? client.prepare(operation);
    prepared.set(operation, invoke);
    return () => invoke(request);
  });
  const answer = async () => {
    const responses: Message[] = [];
    for (const call of calls) responses.push(await call());
    return merge(responses);
  };

  const runTask =
    plan.order === "parallel"
      ? async (task: number): Promise<void> => {
          await Promise.all(calls.map((call, step) => timed(task, step, call)));
        }
      : async (task: number): Promise<void> => {
          for (let step = 0; step < calls.length; step += 1)
            await timed(task, step, calls[step] as () => Promise<unknown>);
        };
  return { run: (tasks) => closedLoop(tasks, callers, runTask), answer };
}
