// Turns a plan into calls on a client and times each of them.
import type { JsonObject, Message } from "@bufbuild/protobuf";
import { type Client, type Contract, linkedClient } from "@roundtrip/contract";
import { RunnerError } from "../basics/runner-error.ts";
import type { Pace } from "../pace/load.ts";
import { isOneExchange, setsOfSteps, type Plan } from "../study/study.ts";
import { makeCallTimer, type CallLog } from "./call-timer.ts";
import { closedLoop, openLoop, type PacedRun, thinkingLoop } from "./loops.ts";
import { mergedAnswer, placedAnswers, type StepAnswer } from "./merged-answer.ts";
import { jsonOf, readyCalls, type CallSettings, type ReadyCall } from "./ready-call.ts";
import { readyStep, type ReadyStep } from "./ready-step.ts";

/** A plan that is ready to run on one client. */
export interface Execution {
  /** Runs it this many times and records every call. Failed calls are recorded by their code, never thrown. */
  run(tasks: number): Promise<void>;
  /** The same for warming up: a mix makes each of its calls this many times. */
  warm(tasks: number): Promise<void>;
  /** Runs it at a pace, once per number of the schedule. Throws a RunnerError `bad-plan` if the driver does not support pacing. */
  paced(pace: Pace): PacedRun;
  /** Runs it once, untimed, and returns the merged answer. Rejects with the first call's CallError. */
  answer(): Promise<JsonObject>;
}

export interface ExecutionOptions {
  readonly contract: Contract;
  readonly client: Client;
  readonly plan: Plan;
  readonly callers: number;
  readonly callLog: CallLog;
}

interface ReadyTask {
  /** @param intendedAtMs when it was to begin; NaN for now. */
  readonly run: (task: number, intendedAtMs: number) => Promise<void>;
  /** Makes every call, also those of other tasks of a mix. */
  readonly all: (task: number, intendedAtMs: number) => Promise<void>;
  readonly answer: Execution["answer"];
}

/** Throws a RunnerError `bad-plan` for steps that require single calls in a plan without them. */
function requireOwnCalls({ order, driver }: Plan, steps: readonly ReadyStep[]): void {
  if (!isOneExchange(order) && driver === "own") return;
  if (steps.some(({ operation }) => operation.kind !== "unary")) {
    throw new RunnerError("bad-plan", "streams require single calls by Roundtrip's own clients");
  }
}

function taskTogether(settings: CallSettings, plan: Plan, steps: readonly ReadyStep[]): ReadyTask {
  const { contract, client, timer } = settings;
  const { timed } = timer;
  const operations = steps.map((step) => step.operation);
  const isLinked = plan.order === "linked";
  const invoke = isLinked ? linkedClient(client).prepareLinked(operations) : client.prepareTogether(operations);
  const requests = steps.map((step) => step.request);
  const call = () => invoke(requests);
  const run: ReadyTask["run"] = async (task, intendedAtMs) => void (await timed(task, 0, intendedAtMs, call));
  return {
    run,
    all: run,
    async answer() {
      const responses = await call();
      return mergedAnswer(
        steps.flatMap(({ operation }, at) => {
          const answers = [responses[at] ?? []].flat() as readonly Message[];
          const into = plan.steps[at]?.into;
          return placedAnswers(
            answers.map((answer) => jsonOf(contract, operation, answer)),
            into,
          );
        }),
      );
    },
  };
}

/** Each step is a call of its own, in sets that wait for each other. */
function taskOfCalls(settings: CallSettings, plan: Plan, steps: readonly ReadyStep[]): ReadyTask {
  const calls = readyCalls(settings, steps);
  const sets = setsOfSteps(plan.order, plan.steps);
  const ask = async (step: number): Promise<StepAnswer> => ({
    answer: await (calls[step] as ReadyCall).answer(),
    into: plan.steps[step]?.into,
  });
  const all: ReadyTask["all"] = async (task, intendedAtMs) => {
    for (const set of sets) {
      // Only the first of dependent calls has an intended start.
      const intended = set[0] === 0 ? intendedAtMs : Number.NaN;
      const [first = 0] = set;
      if (set.length === 1) await (calls[first] as ReadyCall).timed(task, first, intended);
      else await Promise.all(set.map((step) => (calls[step] as ReadyCall).timed(task, step, intended)));
    }
  };
  const { turns } = plan;
  const inTurn = (task: number, intendedAtMs: number): Promise<void> => {
    const step = turns?.[task % turns.length] ?? 0;
    return (calls[step] as ReadyCall).timed(task, step, intendedAtMs);
  };
  return {
    run: turns === undefined ? all : inTurn,
    all,
    // In the order of the plan, so that a plan that opens several connections has them then.
    async answer() {
      const answers: StepAnswer[] = [];
      for (const set of sets) answers.push(...(await Promise.all(set.map(ask))));
      return mergedAnswer(answers);
    },
  };
}

/** Prepares a plan. Throws a RunnerError `bad-plan` if the contract does not have what it requests. */
export function prepareExecution({ contract, client, plan, callers, callLog }: ExecutionOptions): Execution {
  const steps = plan.steps.map((step) => readyStep(contract, step));
  requireOwnCalls(plan, steps);
  const timer = makeCallTimer(callLog, plan.pauseMs ?? Number.POSITIVE_INFINITY);
  const settings: CallSettings = { contract, client, callLog, timer };
  const { run, all, answer } = (isOneExchange(plan.order) ? taskTogether : taskOfCalls)(settings, plan, steps);
  return {
    run: (tasks) => closedLoop(tasks, callers, (task) => run(task, Number.NaN)),
    warm: (tasks) => closedLoop(tasks, callers, (task) => all(task, Number.NaN)),
    paced: (pace) =>
      pace.loop === "open" ? openLoop(pace, { begin: run, refuse: timer.refuse }) : thinkingLoop(pace, callers, run),
    answer,
  };
}
