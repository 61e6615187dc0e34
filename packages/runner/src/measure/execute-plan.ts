// Turns a plan into calls on a client and times each of them.
import { toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import {
  CallError,
  type Client,
  type Contract,
  type Invoke,
  type InvokeStream,
  type Operation,
} from "@roundtrip/contract";
import { RunnerError } from "../runner-error.ts";
import type { Plan } from "../study.ts";
import { readyStep, type ReadyStep } from "./ready-step.ts";
import { streamAnswer } from "./stream-answer.ts";
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

function outcomeOf(thrown: unknown, outcomes: string[]): number {
  const { code } = CallError.from(thrown);
  const known = outcomes.indexOf(code);
  return known === -1 ? outcomes.push(code) - 1 : known;
}

/** One step, ready to be done again and again. */
interface Call {
  readonly timed: (task: number, step: number) => Promise<void>;
  readonly answer: () => Promise<JsonObject>;
}

/** Resolves at the end of a stream, whatever was in it. */
async function ended(answers: AsyncIterable<Message>): Promise<void> {
  for await (const _ of answers);
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

  const pauseMs = plan.pauseMs ?? Number.POSITIVE_INFINITY;
  const streams = steps.filter(({ operation }) => operation.kind !== "unary");
  if (streams.length > 0 && (plan.order === "together" || plan.driver !== "own")) {
    throw new RunnerError("bad-plan", "a stream is a call of its own, made by our own clients");
  }

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

  // A stream of answers is read to its end, and nothing of it kept.
  const timedStream = async (task: number, step: number, open: () => AsyncIterable<Message>): Promise<void> => {
    let firstAt = Number.NaN;
    let lastAt = Number.POSITIVE_INFINITY;
    let pauses = 0;
    await timed(task, step, async () => {
      for await (const _ of open()) {
        const at = now();
        if (at - lastAt > pauseMs) pauses += 1;
        else if (lastAt === Number.POSITIVE_INFINITY) firstAt = at;
        lastAt = at;
        recorder.noticeMessage();
      }
    });
    recorder.noteStream(firstAt, pauses);
  };

  const jsonOf = ({ operation }: ReadyStep, response: Message): JsonObject => {
    const json = toJson(operation.output, response, { registry: contract.registry, alwaysEmitImplicit: false });
    return json !== null && typeof json === "object" && !Array.isArray(json) ? json : {};
  };

  if (plan.order === "together") {
    const invoke = client.prepareTogether(steps.map((step) => step.operation));
    const requests = steps.map((step) => step.request);
    return {
      run: (tasks) => closedLoop(tasks, callers, (task) => timed(task, 0, () => invoke(requests))),
      async answer() {
        const responses = await invoke(requests);
        return Object.assign({}, ...steps.map((step, at) => jsonOf(step, responses[at] as Message))) as JsonObject;
      },
    };
  }

  // One prepared invoke per operation, as a client program would keep it.
  const invokes = new Map<Operation, Invoke>();
  const streamInvokes = new Map<Operation, InvokeStream>();
  const calls = steps.map((ready): Call => {
    const { operation, request, requests } = ready;
    if (operation.kind === "unary") {
      const invoke = invokes.get(operation) ?? client.prepare(operation);
      invokes.set(operation, invoke);
      const call = () => invoke(request);
      return { timed: (task, step) => timed(task, step, call), answer: async () => jsonOf(ready, await call()) };
    }
    const invoke = streamInvokes.get(operation) ?? client.prepareStream(operation);
    streamInvokes.set(operation, invoke);
    const noticed = function* () {
      for (const one of requests) {
        recorder.noticeMessage();
        yield one;
      }
    };
    const open = () => invoke(noticed());
    return {
      timed:
        operation.kind === "server_streaming"
          ? (task, step) => timedStream(task, step, open)
          : (task, step) => timed(task, step, () => ended(open())),
      answer: () => streamAnswer(contract, operation, open()),
    };
  });
  const answer = async () => {
    const merged: JsonObject = {};
    for (const call of calls) Object.assign(merged, await call.answer());
    return merged;
  };

  const runTask =
    plan.order === "parallel"
      ? async (task: number): Promise<void> => {
          await Promise.all(calls.map((call, step) => call.timed(task, step)));
        }
      : async (task: number): Promise<void> => {
          for (let step = 0; step < calls.length; step += 1) await (calls[step] as Call).timed(task, step);
        };
  return { run: (tasks) => closedLoop(tasks, callers, runTask), answer };
}
