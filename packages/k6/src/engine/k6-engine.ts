// k6 in place of this project's client processes: each part of a round is a plan, done by instances of k6 and read back into the round's log.
import type { Warning } from "@roundtrip/analysis";
import { RunnerError, type Engine, type EnginePart } from "@roundtrip/runner";
import type { Arm, Pair } from "@roundtrip/runner/parts";
import type { K6Program } from "../instances/find-k6.ts";
import type { ContractImage } from "../plan/contract-image.ts";
import { k6ArmsOf, type K6Arms } from "../plan/k6-arms.ts";
import type { K6Plan } from "../plan/k6-plan.ts";
import { planOf } from "../plan/plan-of.ts";
import { equalSegments } from "../results/segments.ts";
import { CallTimes, tasksToTime } from "./call-times.ts";
import type { WatchedCell } from "./cell-watch.ts";
import { doPlan, type DonePlan } from "./do-plan.ts";
import { logRound } from "./log-round.ts";

export interface K6EngineOptions {
  readonly k6: K6Program;
  /** How many processes of k6 share the load. */
  readonly instances: number;
  readonly image: ContractImage;
  /** Hears where everything is that k6 wrote of a plan, before it is gone: k6 has figures of its own. */
  readonly onResults?: (plan: K6Plan, files: readonly string[]) => Promise<void>;
}

/** Where everything is on one machine and servers are warm. */
const timing = { leadMs: 80, roomMs: 250 } as const;

/** Virtual users that share the load of an arm, at most: those of an open loop are counted when its arrivals are drawn. */
function mostVirtualUsers({ callers, pacing, saturation, tasksPerBlock }: Arm): number {
  const isOpen = saturation !== undefined || pacing?.pacer.loop === "open";
  return isOpen ? tasksPerBlock : Math.min(callers, tasksPerBlock);
}

/** Throws a RunnerError `bad-plan` where some instance would have no virtual user in all that is measured. */
function requireWork(instances: number, arms: readonly Arm[]): void {
  const most = Math.max(1, ...arms.map(mostVirtualUsers));
  if (instances <= most) return;
  const callers = most === 1 ? "is one caller" : `are at most ${most} callers`;
  throw new RunnerError(
    "bad-plan",
    `there ${callers} at a time for ${instances} instances of k6, and one without a caller would do nothing: give --instances ${most}`,
  );
}

/** Times a few tasks of every arm that nothing is known of. */
async function timeCalls(times: CallTimes, pairs: readonly Pair[]): Promise<void> {
  for (const pair of pairs) {
    for (const { id, tasksPerBlock } of pair.arms) {
      if (times.knows(id)) continue;
      const tasks = Math.min(tasksToTime, tasksPerBlock);
      const { elapsedMs } = await pair.ask<{ readonly elapsedMs: number }>({ ask: "block", armId: id, tasks });
      times.note(id, tasks, elapsedMs);
    }
  }
}

/** Where each server of the plan is, as the script is told. */
function addressesOf({ servers }: K6Plan, pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const urls = new Map(pairs.map(({ configuration, url }) => [configuration.id, url]));
  return Object.fromEntries(servers.map(({ id, variable, usual }) => [variable, urls.get(id) ?? usual]));
}

function watchedCells({ cells }: K6Plan, pairs: readonly Pair[]): readonly WatchedCell[] {
  const pairOf = new Map(pairs.flatMap((pair) => pair.arms.map(({ id }) => [id, pair])));
  return cells.map((cell) => {
    const pair = pairOf.get(cell.armId);
    if (pair === undefined) throw new Error(`nobody serves ${cell.armId}`);
    return { cell, pair };
  });
}

/** Keeps what a plan came to in the round's log. Throws a RunnerError `process-died` where an instance failed by itself and was not killed. */
function keep(
  done: DonePlan,
  { log, plan: { round, schedule, firstBlock }, turns }: EnginePart,
  times: CallTimes,
): void {
  const { results, books, failed, isWhole } = done;
  // Where an instance was killed, that its last line is cut off is no news.
  const warnings: Warning[] = failed === undefined ? [...results.warnings] : [];
  const [only, ...others] = results.rounds;
  const name = `round ${round + 1}`;
  if (failed !== undefined) {
    const message = `${failed.label} ${failed.how} in ${name}: the calls of its segment are lost from there on`;
    warnings.push({ code: "generator-died", message });
  }
  if (others.length > 0) {
    const message = `${name}: the instances of k6 did not begin at the same moment, and what they did is left out`;
    warnings.push({ code: "k6-apart", message });
  } else if (only !== undefined) {
    const logged = logRound(only, log, (cell) => books.get(cell));
    // What was under way when somebody stopped it is let go, as it is of other generators.
    if (isWhole) warnings.push(...logged.warnings);
    for (const { cell, elapsedMs } of logged.whole) {
      const { block, tasks, arrivalsMs, pausesMs, mostMs, beginsMs, startsMs } =
        only.plan.cells[cell] ?? missingCell(cell);
      const { arm } = schedule[block - firstBlock] ?? missingCell(cell);
      if (arrivalsMs === null && pausesMs === null) times.note(arm.id, tasks, elapsedMs);
      turns.took({ arm, lane: undefined, tasks, tasksMs: elapsedMs, blockMs: beginsMs - startsMs + mostMs });
    }
  }
  log.warnings.push(...(isWhole || failed !== undefined ? warnings : []));
  if (failed !== undefined && !failed.wasKilled) throw new RunnerError("process-died", `${failed.label} ${failed.how}`);
}

function missingCell(cell: number): never {
  throw new Error(`the plan has no cell ${cell}`);
}

/** k6 as the runner takes it; it holds no process between parts of rounds. */
export function k6Engine({ k6, instances, image, onResults }: K6EngineOptions): Engine {
  const times = new CallTimes();
  // Requests are the same in each round: they are written once for each part of it.
  const prepared = new Map<string, Promise<K6Arms>>();
  const armsOf = (arms: readonly Arm[]): Promise<K6Arms> => {
    const key = arms.map(({ id }) => id).join("\n");
    const known = prepared.get(key) ?? k6ArmsOf(arms, image.contract);
    prepared.set(key, known);
    return known;
  };
  const { segments } = equalSegments(instances);
  return {
    generators: segments.map((segment) => ({ name: "k6", version: k6.version, segment })),

    async choose(arms) {
      // Those whose rates are still to be found are judged by what they will be.
      const asMeasured = arms.map(({ saturation: _saturation, ...arm }): Arm => arm);
      const { arms: possible, leftOut } = await k6ArmsOf(asMeasured, image.contract);
      const ids = new Set(possible.map(({ facts }) => facts.id));
      const measured = arms.filter(({ id }) => ids.has(id));
      if (measured.length > 0) requireWork(instances, measured);
      return { measured, warnings: leftOut };
    },

    async runBlocks(part) {
      const { pairs, seed, turns, signal } = part;
      const { round, arms, schedule, firstBlock, placement } = part.plan;
      if (signal.aborted || !turns.mayBegin(0)) return false;
      await timeCalls(times, pairs);
      const plan = planOf({
        prepared: await armsOf(arms),
        schedule,
        seed,
        round,
        firstBlock,
        contractHash: image.hash,
        timing: {
          ...timing,
          leadMsPerCall: times.callMsOf.bind(times),
          callsMsOf: times.callsMsOf.bind(times),
        },
      });
      const done = await doPlan({
        plan,
        contract: image.bytes,
        k6,
        instances,
        core: placement.client,
        addresses: addressesOf(plan, pairs),
        cells: watchedCells(plan, pairs),
        mayBegin: (cell) => turns.mayBegin((plan.cells[cell]?.block ?? firstBlock) - firstBlock),
        onResults,
        signal,
      });
      keep(done, part, times);
      return done.isWhole;
    },
  };
}
