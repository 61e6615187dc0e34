// Which arms have no latency to tell because what set their tasks off was not up to it, and which are to be read with that in mind.
import { sortedLatencies, sortedTogether } from "../metrics/block-values.ts";
import { quantile } from "../statistics/describe-samples.ts";
import type { VoidCell } from "../void-cell.ts";
import type { Arm, Block, RunFacts, Warning } from "../run.ts";
import type { ArmTasks } from "../tasks-of.ts";
import { counted, durationText, listed } from "../words.ts";

/** Beginning late lengthens a latency by as much: this share of its p99 may be the generator's own… */
const mostOfLatency = 0.1;
/** Callers of one client who think wait for each other there when they begin, too: that queue is part of what they see, up to this share… */
const mostOfCallers = 0.5;
/** …and this much always: it is what an idle machine does. */
const alwaysAllowedMs = 0.2;
/** Beyond this, whatever the client has to do waits ten times as long as it takes. */
const mostUtilisation = 0.9;
/** The runner's outcome of a task that came while as many as may be were under way. */
const notSent = "NOT_SENT";
/** The runner's outcome of a call for which the client's machine had no socket. */
const noSocket = "NO_SOCKET";

/** Share of time in which the client was busy, over all blocks; undefined in runs of before it was written down. */
function utilisationOf(blocks: readonly Block[]): number | undefined {
  let busyMs = 0;
  let elapsedMs = 0;
  for (const block of blocks) {
    if (block.clientUtilisation === undefined) continue;
    busyMs += block.clientUtilisation * block.elapsedMs;
    elapsedMs += block.elapsedMs;
  }
  return elapsedMs === 0 ? undefined : busyMs / elapsedMs;
}

/** The p99 of how late the arm's tasks began, and of their latencies. */
function tailsOf({ blocks }: ArmTasks): { readonly latenessMs: number; readonly latencyMs: number } | undefined {
  const lateness = sortedTogether(blocks.flatMap(({ latenessMs }) => latenessMs ?? []));
  if (lateness.length === 0) return undefined;
  return { latenessMs: quantile(lateness, 0.99), latencyMs: quantile(sortedLatencies(blocks), 0.99) };
}

/** Why the arm's latencies are not those of its load; empty where they are. */
function reasonsOf({ load, factors }: Arm, done: ArmTasks, utilisation: number | undefined): readonly string[] {
  if (load === undefined) return [];
  const reasons: string[] = [];
  const left = done.failures.get(notSent) ?? 0;
  if (left > 0) {
    const bound = load.mostInFlight === undefined ? "as many as may be" : load.mostInFlight.toLocaleString("en-US");
    reasons.push(`${counted(left, "task")} of ${done.tasks} came while ${bound} were under way and were not begun`);
  }
  const unconnected = done.failures.get(noSocket) ?? 0;
  if (unconnected > 0) {
    const of = `${counted(unconnected, "call")} of ${done.calls}`;
    reasons.push(
      `${of} found no socket on the client's machine: raise the limit of open files (ulimit -n), or make fewer calls at once`,
    );
  }
  const tails = tailsOf(done);
  const haveOthers = load.loop === "closed" && typeof factors["callers"] === "number" && factors["callers"] > 1;
  const share = haveOthers ? mostOfCallers : mostOfLatency;
  if (tails !== undefined && tails.latenessMs > Math.max(alwaysAllowedMs, share * tails.latencyMs)) {
    const [late, latency] = [durationText(tails.latenessMs), durationText(tails.latencyMs)];
    reasons.push(`the generator fell behind: one task in a hundred began ${late} late or more, of a p99 of ${latency}`);
  }
  if (load.loop === "open" && utilisation !== undefined && utilisation > mostUtilisation) {
    reasons.push(`the client's core was busy for ${Math.round(100 * utilisation)} % of the time`);
  }
  return reasons;
}

/** The arms that have no latency to tell, in the order of the run. */
export function voidCells(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  tasks: readonly ArmTasks[],
): readonly VoidCell[] {
  const blocksOf = Map.groupBy(blocks, ({ armId }) => armId);
  return tasks.flatMap((done, index) => {
    const arm = arms[index];
    const reasons = arm === undefined ? [] : reasonsOf(arm, done, utilisationOf(blocksOf.get(done.armId) ?? []));
    return reasons.length === 0 ? [] : [{ armId: done.armId, reasons }];
  });
}

/** `at 4,000 and 8,000 arrivals a second`, where that is what tells the cells of one stack apart. */
function ratesText(arms: readonly Arm[]): string {
  const rates = arms.map(({ factors }) => factors["rateHz"]);
  const told = rates.every((rateHz) => typeof rateHz === "number");
  if (!told) return "";
  const sorted = [...new Set(rates)]
    .toSorted((one, other) => one - other)
    .map((rateHz) => rateHz.toLocaleString("en-US"));
  return ` at ${listed(sorted)} arrivals a second`;
}

/** One line for each study and task on each stack: cells that are void are many where a machine is busy, and for one cause. */
function voidWarnings(arms: readonly Arm[], cells: readonly VoidCell[]): readonly Warning[] {
  const reasonsById = new Map(cells.map(({ armId, reasons }) => [armId, reasons]));
  const groups = Map.groupBy(arms, ({ study, task, title }) => JSON.stringify([study, task, title]));
  return [...groups.values()].flatMap((group): readonly Warning[] => {
    const voided = group.filter(({ id }) => reasonsById.has(id));
    // Where many are void, the last of them asked for most.
    const last = voided.at(-1);
    if (last === undefined) return [];
    const why = (reasonsById.get(last.id) ?? []).join("; ");
    if (voided.length === 1) {
      return [{ code: "void", message: `void, no latency is given: ${why}`, armId: last.id }];
    }
    const { study, task, title } = last;
    const loaded = group.filter(({ load }) => load !== undefined).length;
    const message = `${study}, ${task} over ${title}: ${voided.length} of ${counted(loaded, "cell")} under a load are void${ratesText(voided)}, and have no latency; of the last of them, ${why}`;
    return [{ code: "void", message }];
  });
}

/** What a reader is told of them, and of closed loops whose callers waited for each other in the client. */
export function loadWarnings(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  cells: readonly VoidCell[],
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
  return [...voidWarnings(arms, cells), ...saturated];
}
