// Finds arms without a latency because the generator did not keep the load, and arms with only the tail withheld.
import { groupsOf } from "../comparison/stack-pairs.ts";
import { configurationOf, type Arm, type Block, type RunFacts } from "@roundtrip/runs";
import type { Warning } from "./warning.ts";
import {
  isReportable,
  latenessOf,
  type TailPercentile,
  type VoidCell,
  type VoidCode,
  type WithheldPercentiles,
  type Lateness,
} from "../metrics/lateness.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import { counted, durationText, listed } from "../basics/words.ts";

/** Beyond this utilisation, work of the client waits ten times as long as it takes. */
export const mostUtilisation = 0.9;
/** Outcome of a task that came at the maximum number of tasks in flight. */
const notSent = "NOT_SENT";
/** Outcome of a call without a free socket on the client's machine. */
const noSocket = "NO_SOCKET";

/** Share of time that the client was busy, over all blocks; undefined in older runs. */
export function utilisationOf(blocks: readonly Block[]): number | undefined {
  let busyMs = 0;
  let elapsedMs = 0;
  for (const block of blocks) {
    if (block.clientUtilisation === undefined) continue;
    busyMs += block.clientUtilisation * block.elapsedMs;
    elapsedMs += block.elapsedMs;
  }
  return elapsedMs === 0 ? undefined : busyMs / elapsedMs;
}

/** Percentiles that may be withheld although mean and median are reported, and whether tables show them for few calls. */
const tail: readonly { readonly name: TailPercentile; readonly fraction: number; readonly isShownOfFew: boolean }[] = [
  { name: "p90", fraction: 0.9, isShownOfFew: true },
  { name: "p95", fraction: 0.95, isShownOfFew: true },
  { name: "p99", fraction: 0.99, isShownOfFew: true },
  { name: "p99.9", fraction: 0.999, isShownOfFew: false },
];

function behind(lateness: Lateness): string | undefined {
  const figures = [
    { name: "mean", figure: lateness.mean },
    { name: "median", figure: lateness.quantile(0.5) },
  ];
  const moved = figures.find(({ figure }) => figure.isMoved);
  if (moved === undefined) return undefined;
  const { intendedMs, actualMs } = moved.figure;
  const late = durationText(intendedMs - actualMs);
  return `the generator fell behind: of a ${moved.name} latency of ${durationText(intendedMs)}, ${late} come of tasks that began late`;
}

interface Reason {
  readonly code: VoidCode;
  readonly text: string;
}

function reasonsOf(
  { load }: Arm,
  done: ArmTasks,
  lateness: Lateness | undefined,
  utilisation: number | undefined,
): readonly Reason[] {
  if (load === undefined) return [];
  const reasons: Reason[] = [];
  const because = (code: VoidCode, text: string): void => void reasons.push({ code, text });
  const left = done.failures.get(notSent) ?? 0;
  if (left > 0) {
    const bound = load.mostInFlight === undefined ? "as many as may be" : load.mostInFlight.toLocaleString("en-US");
    because(
      "left-out",
      `${counted(left, "task")} of ${done.tasks} came while ${bound} were under way and were not begun`,
    );
  }
  const unconnected = done.failures.get(noSocket) ?? 0;
  if (unconnected > 0) {
    const of = `${counted(unconnected, "call")} of ${done.calls}`;
    because(
      "left-out",
      `${of} found no socket on the client's machine: raise the limit of open files (ulimit -n), or make fewer calls at once`,
    );
  }
  const late = lateness && behind(lateness);
  if (late !== undefined) because("late", late);
  if (load.loop === "open" && utilisation !== undefined && utilisation > mostUtilisation) {
    because("busy", `the client's core was busy for ${Math.round(100 * utilisation)} % of the time`);
  }
  return reasons;
}

export interface JudgedLoads {
  readonly voidCells: readonly VoidCell[];
  readonly lateTails: readonly WithheldPercentiles[];
}

/** Judges whether the generator kept each arm's load. `tasks` in the order of the arms. */
export function judgedLoads(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  tasks: readonly ArmTasks[],
): JudgedLoads {
  const blocksOf = Map.groupBy(blocks, ({ armId }) => armId);
  const voidCells: VoidCell[] = [];
  const lateTails: WithheldPercentiles[] = [];
  for (const [index, done] of tasks.entries()) {
    const arm = arms[index];
    if (arm?.load === undefined) continue;
    const { armId } = done;
    const lateness = latenessOf(arm, done);
    const reasons = reasonsOf(arm, done, lateness, utilisationOf(blocksOf.get(armId) ?? []));
    const answered = done.blocks.reduce((sum, { latenciesMs }) => sum + latenciesMs.length, 0);
    const moved = tail.filter(
      ({ fraction, isShownOfFew }) =>
        (isShownOfFew || isReportable(answered, fraction)) && lateness?.quantile(fraction).isMoved === true,
    );
    if (reasons.length > 0) {
      const codes = [...new Set(reasons.map(({ code }) => code))];
      voidCells.push({ armId, codes, reasons: reasons.map(({ text }) => text) });
    } else if (moved.length > 0) lateTails.push({ armId, percentiles: moved.map(({ name }) => name) });
  }
  return { voidCells, lateTails };
}

/** ` at 4,000 and 8,000 arrivals a second`, where the rate distinguishes the cells of one stack. */
function ratesText(arms: readonly Arm[]): string {
  const rates = arms.map(({ factors }) => factors["rateHz"]);
  const isRated = rates.every((rateHz) => typeof rateHz === "number");
  if (!isRated) return "";
  const sorted = [...new Set(rates)]
    .toSorted((one, other) => one - other)
    .map((rateHz) => rateHz.toLocaleString("en-US"));
  return ` at ${listed(sorted)} arrivals a second`;
}

function alikeArms(arms: readonly Arm[]): readonly (readonly Arm[])[] {
  return groupsOf(arms, (arm) => JSON.stringify([arm.study, arm.task, configurationOf(arm)]));
}

/** One line per study, task and stack: on a busy machine many cells are void for one cause. */
function voidWarnings(arms: readonly Arm[], cells: readonly VoidCell[]): readonly Warning[] {
  const reasonsById = new Map(cells.map(({ armId, reasons }) => [armId, reasons]));
  return alikeArms(arms).flatMap((group): readonly Warning[] => {
    const voided = group.filter(({ id }) => reasonsById.has(id));
    const last = voided.at(-1);
    if (last === undefined) return [];
    const why = (reasonsById.get(last.id) ?? []).join("; ");
    if (voided.length === 1) {
      return [{ code: "void", message: `void, no latency is given: ${why}`, armId: last.id }];
    }
    const { study, task, title } = last;
    const loaded = group.filter(({ load }) => load !== undefined).length;
    const message = `${voided.length} of ${counted(loaded, "cell")} of ${task} over ${title} (${study}) are void${ratesText(voided)}: they have no latency; of the last of them, ${why}`;
    return [{ code: "void", message }];
  });
}

function tailWarnings(arms: readonly Arm[], lateTails: readonly WithheldPercentiles[]): readonly Warning[] {
  const tailOf = new Map(lateTails.map(({ armId, percentiles }) => [armId, percentiles]));
  return alikeArms(arms).flatMap((group): readonly Warning[] => {
    const late = group.filter(({ id }) => tailOf.has(id));
    const [first] = late;
    if (first === undefined) return [];
    const names = tail.map(({ name }) => name).filter((name) => late.some(({ id }) => tailOf.get(id)?.includes(name)));
    const { study, task, title, id } = first;
    const loaded = group.filter(({ load }) => load !== undefined).length;
    const cells = late.length === 1 ? "one cell" : `${late.length} of ${counted(loaded, "cell")}`;
    const message = `${listed(names)} ${names.length === 1 ? "is" : "are"} not reported for ${cells} of ${task} over ${title} (${study})${ratesText(late)}: a few tasks began late, by enough to move ${names.length === 1 ? "it" : "them"}; the mean and the median stand`;
    return [late.length === 1 ? { code: "late-tail", message, armId: id } : { code: "late-tail", message }];
  });
}

/** Warns of these, and of closed loops whose callers waited for each other in the client. */
export function loadWarnings(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  { voidCells, lateTails }: JudgedLoads,
): readonly Warning[] {
  const blocksOf = Map.groupBy(blocks, ({ armId }) => armId);
  const saturated = arms.flatMap(({ id, load, factors }): readonly Warning[] => {
    const utilisation = utilisationOf(blocksOf.get(id) ?? []) ?? 0;
    const hasCallers = typeof factors["callers"] === "number" && factors["callers"] > 1;
    if (load?.loop === "open" || !hasCallers || utilisation <= mostUtilisation) return [];
    const busy = `the client's core was busy for ${Math.round(100 * utilisation)} % of the time`;
    const message = `${busy}: its callers waited for each other there, and what they saw is no property of the server alone`;
    return [{ code: "client-saturated", message, armId: id }];
  });
  return [...voidWarnings(arms, voidCells), ...tailWarnings(arms, lateTails), ...saturated];
}
