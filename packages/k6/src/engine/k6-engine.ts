// Uses k6 instead of this project's client processes: writes each part of a round as a plan, runs it with k6, and reads the results into the round's log.
import type { PlannedArm, ProcessPair, ScheduledBlock } from "@roundtrip/runner/parts";
import type { RunEvent } from "@roundtrip/runs";
import { type Engine, type EnginePart, ProcessLoss, RunnerError, type Target } from "@roundtrip/runner";
import type { K6Program } from "../instances/find-k6.ts";
import type { ContractImage } from "../plan/contract-image.ts";
import { type K6Arms, k6ArmsOf, type ServerFacts } from "../plan/k6-arms.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planOf } from "../plan/plan-of.ts";
import { equalSegments } from "../results/instance-of.ts";
import { type PlanResult, runPlan, type WatchedCell } from "./run-plan.ts";
import { logRound } from "./log-round.ts";

/** The number of tasks to time in order to estimate the length of one. */
const tasksToTime = 5;

/** A safety factor: blocks differ, and k6 may take longer than this project's clients. */
const reserve = 3;
const leastMs = 20;
const leastCallMs = 2;

export class CallTimes {
  /** Milliseconds per task by arm, with all callers at work. */
  readonly #taskMs = new Map<string, number>();

  knows(armId: string): boolean {
    return this.#taskMs.has(armId);
  }

  /** Records how long some tasks took. The longest time counts, because a cell that is too short is lost. */
  note(armId: string, tasks: number, elapsedMs: number): void {
    const before = this.#taskMs.get(armId) ?? 0;
    this.#taskMs.set(armId, Math.max(before, elapsedMs / tasks));
  }

  /** How long a call may take when all virtual users call at once and queue at the server. */
  callMsOf({ arm: { id, callsPerTask } }: Pick<ScheduledBlock, "arm">): number {
    return leastCallMs + (reserve * (this.#taskMs.get(id) ?? 0)) / callsPerTask;
  }

  /** How long the calls of a block may take. */
  callsMsOf({ arm: { id }, tasks }: Pick<ScheduledBlock, "arm" | "tasks">): number {
    return leastMs + reserve * tasks * (this.#taskMs.get(id) ?? 0);
  }
}

export interface K6EngineOptions {
  readonly k6: K6Program;
  /** The number of k6 processes that share the load. */
  readonly instances: number;
  readonly image: ContractImage;
  /** The servers that run already, with one certificate authority for all. */
  readonly targets?: readonly Target[];
}

/** For warm servers on this machine. */
const timing = { leadMs: 80, marginMs: 250 } as const;

/** The most virtual users that share the load of an arm. Those of an open loop are counted when its arrivals are drawn. */
function mostVirtualUsers({ callers, pacing, saturation, tasksPerBlock }: PlannedArm): number {
  const isOpen = saturation !== undefined || pacing?.pacer.loop === "open";
  return isOpen ? tasksPerBlock : Math.min(callers, tasksPerBlock);
}

/** Throws a RunnerError `bad-plan` if an instance would have no virtual user in any arm. */
function requireWork(instances: number, arms: readonly PlannedArm[]): void {
  const most = Math.max(1, ...arms.map(mostVirtualUsers));
  if (instances <= most) return;
  const callers = most === 1 ? "one caller" : `at most ${most} callers`;
  throw new RunnerError(
    "bad-plan",
    `${instances} instances of k6 need as many callers, but there is ${callers} at a time; give --engine k6=${most}`,
  );
}

/** Times a few tasks of every arm that has no estimate yet. */
async function timeCalls(times: CallTimes, pairs: readonly ProcessPair[]): Promise<void> {
  for (const pair of pairs) {
    for (const { id, tasksPerBlock } of pair.arms) {
      if (times.knows(id)) continue;
      const tasks = Math.min(tasksToTime, tasksPerBlock);
      const { elapsedMs } = await pair.ask<{ readonly elapsedMs: number }>({ ask: "block", armId: id, tasks });
      times.note(id, tasks, elapsedMs);
    }
  }
}

/** The address of each server of the plan, by its environment variable. */
function addressesOf({ servers }: K6Plan, pairs: readonly ProcessPair[]): Readonly<Record<string, string>> {
  const urls = new Map(pairs.map(({ configuration, url }) => [configuration.id, url]));
  return Object.fromEntries(servers.map(({ id, variable, usual }) => [variable, urls.get(id) ?? usual]));
}

function watchedCells({ cells }: K6Plan, pairs: readonly ProcessPair[]): readonly WatchedCell[] {
  const pairOf = new Map(pairs.flatMap((pair) => pair.arms.map(({ id }) => [id, pair])));
  return cells.map((cell) => {
    const pair = pairOf.get(cell.armId);
    if (pair === undefined) throw new Error(`no server for ${cell.armId}`);
    return { cell, pair };
  });
}

/** Adds the results of a plan to the round's log. Throws a RunnerError `process-died` if an instance failed and was not killed. */
function keep(done: PlanResult, { log, plan: { round, schedule, firstBlock } }: EnginePart, times: CallTimes): void {
  const { results, evidence, failed, isWhole } = done;
  // A killed instance always leaves a line that is cut off.
  const events: RunEvent[] = failed === undefined ? [...results.cuts] : [];
  const [only, ...others] = results.rounds;
  const last = others.at(-1);
  if (failed !== undefined) events.push({ kind: "generator-ended", round, end: failed.end });
  if (only !== undefined && last !== undefined) {
    const [first, latest] = [only, last].map(({ instances }) => instances.map(({ segment }) => segment).join(", "));
    const segments = { first: first ?? "", last: latest ?? "" };
    events.push({ kind: "instances-apart", round, skewMs: last.t0Ms - only.t0Ms, ...segments });
  } else if (only !== undefined) {
    const logged = logRound(only, log, (cell) => evidence.get(cell));
    // A cell that was interrupted is dropped without an event, as with other load generators.
    if (isWhole) events.push(...logged.events);
    for (const { cell, elapsedMs } of logged.whole) {
      const { block, tasks, arrivalsMs, pausesMs } = only.plan.cells[cell] ?? missingCell(cell);
      const { arm } = schedule[block - firstBlock] ?? missingCell(cell);
      if (arrivalsMs === null && pausesMs === null) times.note(arm.id, tasks, elapsedMs);
    }
  }
  log.events.push(...(isWhole || failed !== undefined ? events : []));
  if (failed !== undefined && !failed.wasKilled) throw new ProcessLoss(failed.end);
}

function missingCell(cell: number): never {
  throw new Error(`the plan has no cell ${cell}`);
}

/** k6 as a load engine for the runner. It keeps no process between parts of rounds. */
export function k6Engine({ k6, instances, image, targets = [] }: K6EngineOptions): Engine {
  const servers: ServerFacts = { targets, portsEach: 1 };
  const times = new CallTimes();
  // Requests are the same in each round, so they are prepared once for each part.
  const prepared = new Map<string, Promise<K6Arms>>();
  const armsOf = (arms: readonly PlannedArm[]): Promise<K6Arms> => {
    const key = arms.map(({ id }) => id).join("\n");
    const known = prepared.get(key) ?? k6ArmsOf(arms, image.contract, servers);
    prepared.set(key, known);
    return known;
  };
  const { segments } = equalSegments(instances);
  return {
    generators: segments.map((segment) => ({ name: "k6", version: k6.version, segment })),

    blockTime: { besideMs: timing.leadMs + timing.marginMs + leastMs, timesTasks: reserve },

    async choose(arms) {
      // Arms whose rates are not yet known are checked as if they were.
      const asMeasured = arms.map(({ saturation: _saturation, ...arm }): PlannedArm => arm);
      const { arms: possible, leftOut } = await k6ArmsOf(asMeasured, image.contract, servers);
      const ids = new Set(possible.map(({ facts }) => facts.id));
      const measured = arms.filter(({ id }) => ids.has(id));
      if (measured.length > 0) requireWork(instances, measured);
      return { measured, leftOut };
    },

    async runBlocks(part) {
      const { pairs, seed, control, signal } = part;
      const { round, arms, schedule, firstBlock, placement } = part.plan;
      if (signal.aborted || !control.mayBegin(0)) return false;
      await timeCalls(times, pairs);
      const plan = planOf({
        prepared: await armsOf(arms),
        schedule,
        seed,
        round,
        firstBlock,
        contractHash: image.hash,
        timing: { ...timing, leadMsPerCall: times.callMsOf.bind(times), callsMsOf: times.callsMsOf.bind(times) },
      });
      const done = await runPlan({
        plan,
        contract: image.bytes,
        k6,
        instances,
        core: placement.client,
        addresses: addressesOf(plan, pairs),
        certificateAuthority: targets.find(({ ca }) => ca !== undefined)?.ca,
        cells: watchedCells(plan, pairs),
        mayBegin: (cell) => control.mayBegin((plan.cells[cell]?.block ?? firstBlock) - firstBlock),
        signal,
      });
      keep(done, part, times);
      return done.isWhole;
    },
  };
}
