// Turns a plan into calls on a client and times each of them.
import { toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import { type Client, type Contract, type Invoke, type InvokeStream, type Operation } from "@roundtrip/contract";
import { RunnerError } from "../basics/runner-error.ts";
import type { Plan } from "../study/study.ts";
import type { Pace } from "../pace/load.ts";
import { closedLoop, thinkingLoop } from "./closed-loop.ts";
import { openLoop } from "./open-loop.ts";
import { mergedAnswer, type PlacedAnswer } from "./merged-answer.ts";
import { outcomeOf } from "./outcome-of.ts";
import type { PacedRun } from "./paced-run.ts";
import { readyStep, type ReadyStep } from "./ready-step.ts";
import { setsOfSteps } from "../study/sets-of-steps.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { Recorder } from "./recorder.ts";
import type { TimesTold } from "./times-told.ts";
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
  /** The same at a pace: once for each number of its schedule. Throws a RunnerError `bad-plan` where its driver has none. */
  paced(pace: Pace): PacedRun;
  /** Runs it once, untimed, and gives the merged answer. Rejects with the first call's CallError. */
  answer(): Promise<JsonObject>;
}

/** The outcome of a task that was not begun. It is no canonical code: no server has a part in it. */
const notSent = "NOT_SENT";

function indexOf(code: string, outcomes: string[]): number {
  const known = outcomes.indexOf(code);
  return known === -1 ? outcomes.push(code) - 1 : known;
}

/** One step, ready to be done again and again. */
interface Call {
  /** @param intendedAtMs when it was to begin; NaN for now. */
  readonly timed: (task: number, step: number, intendedAtMs: number) => Promise<void>;
  readonly answer: () => Promise<JsonObject>;
}

/** Resolves at the end of a stream, whatever was in it. */
async function ended(answers: AsyncIterable<Message>): Promise<void> {
  for await (const _ of answers);
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
  const isPlain = steps.every(({ inTurn, timesTold }) => inTurn.length === 1 && timesTold === undefined);
  if (!isPlain && (plan.order === "together" || plan.driver !== "own")) {
    throw new RunnerError(
      "bad-plan",
      "requests in turn, and times that answers tell, take calls of their own by our own clients",
    );
  }

  // One timed call. `performance.now()` is read right before and right after; everything else happens outside the two.
  const timed = async (
    task: number,
    step: number,
    intendedAtMs: number,
    call: () => Promise<unknown>,
  ): Promise<number> => {
    let outcome = 0;
    let endedAt: number;
    const startedAt = now();
    try {
      await call();
      endedAt = now();
    } catch (thrown) {
      endedAt = now();
      outcome = indexOf(outcomeOf(thrown), outcomes);
    }
    const row = recorder.note(task, step, startedAt, endedAt, outcome, meter.bytesWritten, meter.bytesRead);
    if (!Number.isNaN(intendedAtMs)) recorder.noteIntended(row, intendedAtMs);
    return row;
  };

  // A stream of answers is read to its end, and nothing of it kept.
  const timedStream = async (
    task: number,
    step: number,
    intendedAtMs: number,
    open: () => AsyncIterable<Message>,
  ): Promise<void> => {
    let firstAt = Number.NaN;
    let lastAt = Number.POSITIVE_INFINITY;
    let pauses = 0;
    const row = await timed(task, step, intendedAtMs, async () => {
      for await (const _ of open()) {
        const at = now();
        if (at - lastAt > pauseMs) pauses += 1;
        else if (lastAt === Number.POSITIVE_INFINITY) firstAt = at;
        lastAt = at;
        recorder.noticeMessage();
      }
    });
    recorder.noteStream(row, firstAt, pauses);
  };

  // What an answer tells is read after the clock has stopped.
  const timedTelling = async (
    task: number,
    step: number,
    intendedAtMs: number,
    { queueMs, serviceMs }: TimesTold,
    call: () => Promise<Message>,
  ): Promise<void> => {
    let told: Message | undefined;
    const row = await timed(task, step, intendedAtMs, async () => {
      told = await call();
    });
    if (told !== undefined) recorder.noteReported(row, queueMs(told), serviceMs(told));
  };

  const refuse = (task: number, intendedAtMs: number): void => {
    const at = now();
    const row = recorder.note(task, 0, at, at, indexOf(notSent, outcomes), meter.bytesWritten, meter.bytesRead);
    recorder.noteIntended(row, intendedAtMs);
  };

  const jsonOf = ({ operation }: ReadyStep, response: Message): JsonObject => {
    const json = toJson(operation.output, response, { registry: contract.registry });
    return json !== null && typeof json === "object" && !Array.isArray(json) ? json : {};
  };

  const loops = (runTask: (task: number, intendedAtMs: number) => Promise<void>): Pick<Execution, "run" | "paced"> => ({
    run: (tasks) => closedLoop(tasks, callers, (task) => runTask(task, Number.NaN)),
    paced: (pace) =>
      pace.loop === "open" ? openLoop(pace, { begin: runTask, refuse }) : thinkingLoop(pace, callers, runTask),
  });

  if (plan.order === "together") {
    const invoke = client.prepareTogether(steps.map((step) => step.operation));
    const requests = steps.map((step) => step.request);
    const call = () => invoke(requests);
    return {
      ...loops(async (task, intendedAtMs) => void (await timed(task, 0, intendedAtMs, call))),
      async answer() {
        const responses = await invoke(requests);
        return mergedAnswer(
          steps.map((step, at) => ({ answer: jsonOf(step, responses[at] as Message), into: plan.steps[at]?.into })),
        );
      },
    };
  }

  // One prepared invoke per operation, as a client program would keep it.
  const invokes = new Map<Operation, Invoke>();
  const streamInvokes = new Map<Operation, InvokeStream>();
  const calls = steps.map((ready): Call => {
    const { operation, request, requests, inTurn, timesTold } = ready;
    if (operation.kind === "unary") {
      const invoke = invokes.get(operation) ?? client.prepare(operation);
      invokes.set(operation, invoke);
      const call = () => invoke(request);
      const answer: Call["answer"] = async () => jsonOf(ready, await call());
      if (timesTold !== undefined) {
        const timedCall: Call["timed"] = (task, step, intendedAtMs) =>
          timedTelling(task, step, intendedAtMs, timesTold, () => invoke(inTurn[task % inTurn.length] as Message));
        return { timed: timedCall, answer };
      }
      const timedCall: Call["timed"] =
        inTurn.length === 1
          ? async (task, step, intendedAtMs) => void (await timed(task, step, intendedAtMs, call))
          : async (task, step, intendedAtMs) =>
              void (await timed(task, step, intendedAtMs, () => invoke(inTurn[task % inTurn.length] as Message)));
      return { timed: timedCall, answer };
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
          ? (task, step, intendedAtMs) => timedStream(task, step, intendedAtMs, open)
          : async (task, step, intendedAtMs) => void (await timed(task, step, intendedAtMs, () => ended(open()))),
      answer: () => streamAnswer(contract, operation, open()),
    };
  });
  const sets = setsOfSteps(plan.order, plan.steps);
  const ask = async (step: number): Promise<PlacedAnswer> => ({
    answer: await (calls[step] as Call).answer(),
    into: plan.steps[step]?.into,
  });
  // In its own order: what opens several connections has them then.
  const answer = async () => {
    const answers: PlacedAnswer[] = [];
    for (const set of sets) answers.push(...(await Promise.all(set.map(ask))));
    return mergedAnswer(answers);
  };

  const runTask = async (task: number, intendedAtMs: number): Promise<void> => {
    for (const set of sets) {
      // Of calls that wait for each other only the first have a moment of their own.
      const intended = set[0] === 0 ? intendedAtMs : Number.NaN;
      const [first = 0] = set;
      if (set.length === 1) await (calls[first] as Call).timed(task, first, intended);
      else await Promise.all(set.map((step) => (calls[step] as Call).timed(task, step, intended)));
    }
  };
  return { ...loops(runTask), answer };
}
