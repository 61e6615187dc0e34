// Injects one fault into one run and collects its effects.
import { setTimeout as sleep } from "node:timers/promises";
import type { InjectedFault } from "./fault.ts";
import { allProcesses, familyOf, isMarked, networkOf, type SeenProcess } from "./processes.ts";
import { keptRun, startShortBench, type BenchEnd, type FaultedRun, type ShortBench } from "./short-bench.ts";

/** How long a process stays stopped: longer than all calls of an arm together. */
const stoppedMs = 1_500;
const lookEveryMs = 20;
/** A program or process that still runs after this time counts as left over. */
const endLimitMs = 90_000;
const leftLimitMs = 5_000;

/** What was wrong after a try; lists are empty if nothing was. */
export interface TryResult {
  /** Whether the fault reached a process. */
  readonly wasDelivered: boolean;
  readonly processes: readonly string[];
  readonly namespaces: readonly string[];
  readonly temporaryFiles: readonly string[];
  readonly isUnreadable: boolean;
  /** The number of means that had to be usual; 0 if the run was lost, or reports a standstill for every arm. */
  readonly judgedFigures: number;
  /** Those that are far from the means without faults. */
  readonly wrongFigures: readonly string[];
  /** Undocumented exit statuses or messages. */
  readonly undocumentedExits: readonly string[];
}

/** Reported means without faults, by arm: from several runs of the same study. */
export type MeanRanges = ReadonlyMap<string, { readonly lowMs: number; readonly highMs: number }>;

/** Means that differ by less than this factor may be noise, as of a run that ended early: a stop makes them seven times as large or more. */
const noiseFactor = 6;

/** The range that the means of runs without faults allow. */
export function meanRanges(runs: readonly FaultedRun[]): MeanRanges {
  const arms = new Set(runs.flatMap(({ meanMs }) => [...meanMs.keys()]));
  return new Map(
    [...arms].map((arm) => {
      const means = runs.flatMap(({ meanMs }) => meanMs.get(arm) ?? []);
      return [arm, { lowMs: Math.min(...means) / noiseFactor, highMs: Math.max(...means) * noiseFactor }];
    }),
  );
}

/**
 * Mean latencies in ms by arm that must be usual: all of them, however the run ended, without arms whose figures hold a reported standstill. A void
 * block or a lost process is no excuse: what is kept beside it must be right.
 */
function judgedMeans({ warnings, standingStill, meanMs }: FaultedRun): ReadonlyMap<string, number> {
  const excuses = warnings.filter(({ code }) => code === "few-slow-calls");
  const isExcused = (arm: string): boolean => standingStill.includes(arm) || excuses.some(({ armId }) => armId === arm);
  return new Map([...meanMs].filter(([arm]) => !isExcused(arm)));
}

/** Arms with an unusual mean and no reported fault. @param judged from {@link judgedMeans} */
function wrongFiguresOf(judged: ReadonlyMap<string, number>, ranges: MeanRanges): readonly string[] {
  return [...judged].flatMap(([arm, meanMs]) => {
    const { lowMs, highMs } = ranges.get(arm) ?? { lowMs: 0, highMs: 0 };
    return meanMs >= lowMs && meanMs <= highMs ? [] : [`${arm} took ${meanMs.toFixed(2)} ms`];
  });
}

/** Why an end is undocumented (see the exit statuses in the README); undefined if it is documented. */
function undocumentedExit(
  { signal, victim }: InjectedFault,
  { status, signal: endedBy, stderr }: BenchEnd,
): string | undefined {
  if (/^ {4}at /m.test(stderr)) return `a stack trace: ${stderr.slice(0, 500)}`;
  const how = endedBy ?? `status ${status}`;
  const isAsked = signal === "SIGINT" || signal === "SIGTERM";
  const allowed: readonly string[] =
    victim !== "program"
      ? // A loss in the first round ends the run, a later one costs its round.
        ["status 0", "status 69"]
      : signal === "SIGKILL"
        ? ["SIGKILL", "status 0"]
        : // The signal itself, before the program has loaded; 0 after its last word.
          ["status 0", ...(isAsked ? ["status 130", signal] : [])];
  return allowed.includes(how) ? undefined : `ended with ${how}: ${stderr.trim().split("\n").at(-1)}`;
}

function victimOf({ victim }: InjectedFault, { child }: ShortBench): SeenProcess | undefined {
  const family = familyOf(child.pid ?? 0);
  if (victim === "program") return family[0];
  return family.find(({ commandLine }) => commandLine.includes(`${victim}-process.`));
}

/** Sends the fault at its moment. Returns the running processes; empty if the program had ended before. */
async function strike(fault: InjectedFault, bench: ShortBench, over: AbortSignal): Promise<readonly SeenProcess[]> {
  await sleep(fault.atMs, undefined, { signal: over }).catch(() => undefined);
  let victim = victimOf(fault, bench);
  while (victim === undefined && !over.aborted) {
    await sleep(lookEveryMs);
    victim = victimOf(fault, bench);
  }
  const family = familyOf(bench.child.pid ?? 0);
  if (victim === undefined || !family.some(({ pid }) => pid === victim.pid)) return [];
  try {
    process.kill(victim.pid, fault.signal);
    if (fault.signal === "SIGSTOP") {
      await sleep(stoppedMs);
      process.kill(victim.pid, "SIGCONT");
    }
  } catch {
    // The process has ended meanwhile.
  }
  return family;
}

/** What a list contains once it is empty, or the time is over. */
async function leftOf<T>(list: () => readonly T[]): Promise<readonly T[]> {
  const until = performance.now() + leftLimitMs;
  while (list().length > 0 && performance.now() < until) await sleep(lookEveryMs);
  return list();
}

export async function tryFault(fault: InjectedFault, seed: number, ranges: MeanRanges): Promise<TryResult> {
  using bench = startShortBench(seed);
  const over = new AbortController();
  void bench.ended.then(() => over.abort());
  const limit = setTimeout(() => bench.child.kill("SIGKILL"), endLimitMs);
  const family = await strike(fault, bench, over.signal);
  const end = await bench.ended;
  clearTimeout(limit);
  const isLate = end.signal === "SIGKILL" && !(fault.victim === "program" && fault.signal === "SIGKILL");
  const isOurs = (one: SeenProcess): boolean =>
    isMarked(one, bench.mark) ||
    family.some(({ pid, startedAtTicks }) => pid === one.pid && startedAtTicks === one.startedAtTicks);
  const processes = await leftOf(() => allProcesses().filter(isOurs));
  const networks = new Set(family.map(({ network }) => network).filter((name) => name !== networkOf("self")));
  const namespaces = await leftOf(() => allProcesses().filter(({ network }) => networks.has(network)));
  const temporaryFiles = await leftOf(() => bench.temporaryFiles());
  const run = await keptRun(bench.out);
  const judged = typeof run === "string" ? new Map<string, number>() : judgedMeans(run);
  const undocumented = isLate ? `did not end within ${endLimitMs / 1_000} s` : undocumentedExit(fault, end);
  return {
    wasDelivered: family.length > 0,
    processes: processes.map(({ pid, commandLine }) => `${pid} ${commandLine}`),
    namespaces: namespaces.map(({ network }) => network),
    temporaryFiles,
    isUnreadable: run === "unreadable",
    judgedFigures: judged.size,
    wrongFigures: wrongFiguresOf(judged, ranges),
    undocumentedExits: undocumented === undefined ? [] : [undocumented],
  };
}
