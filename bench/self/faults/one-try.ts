// One fault in one run, and what is left of it.
import { setTimeout as sleep } from "node:timers/promises";
import type { InjectedFault } from "./fault.ts";
import { allProcesses, familyOf, isMarked, networkOf, type SeenProcess } from "./processes.ts";
import { keptRun, startShortBench, type BenchEnd, type FaultedRun, type ShortBench } from "./short-bench.ts";

/** How long a process stands still: longer than all calls of an arm take together. */
const stoppedMs = 1_500;
const lookEveryMs = 20;
/** A program, or what it leaves, that is there after so long stays. */
const endLimitMs = 90_000;
const leftLimitMs = 5_000;

/** What was wrong after a try; lists are empty where nothing was. */
export interface Aftermath {
  /** Whether the fault found somebody. */
  readonly isHit: boolean;
  readonly processes: readonly string[];
  readonly namespaces: readonly string[];
  readonly temporaryFiles: readonly string[];
  readonly isUnreadable: boolean;
  /** How many means had to be usual; 0 where the run was lost, or reports a fault for every arm. */
  readonly judgedFigures: number;
  /** Those of them that are far from what they are without faults. */
  readonly wrongFigures: readonly string[];
  /** What is not documented of its exit status or its messages. */
  readonly badEnds: readonly string[];
}

/** What reported means are without faults: the same study, several times, by arm. */
export type Usual = ReadonlyMap<string, { readonly lowMs: number; readonly highMs: number }>;

/** Means that differ by less than this factor may be noise: a stop makes them ten times as large. */
const noiseFactor = 4;

/** What the means of untouched runs allow. */
export function usualOf(runs: readonly FaultedRun[]): Usual {
  const arms = new Set(runs.flatMap(({ meanMs }) => [...meanMs.keys()]));
  return new Map(
    [...arms].map((arm) => {
      const means = runs.flatMap(({ meanMs }) => meanMs.get(arm) ?? []);
      return [arm, { lowMs: Math.min(...means) / noiseFactor, highMs: Math.max(...means) * noiseFactor }];
    }),
  );
}

/** Warnings that say that a fault reached the figures of their arm. */
const excusing = new Set(["stood-still", "few-slow-calls", "server-died", "client-died", "round-lost"]);

/** Mean latencies, in ms by arm, that have to be usual: those of a complete run for whose arm it reports no fault and no void block. */
export function judgedMeans({ isComplete, warnings, voidArms, meanMs }: FaultedRun): ReadonlyMap<string, number> {
  if (!isComplete) return new Map();
  const excuses = warnings.filter(({ code }) => excusing.has(code));
  const isExcused = (arm: string): boolean =>
    voidArms.includes(arm) || excuses.some(({ armId = arm }) => armId === arm);
  return new Map([...meanMs].filter(([arm]) => !isExcused(arm)));
}

/** Arms whose reported mean is not usual though nothing excuses it. @param judged as {@link judgedMeans} gives them */
export function wrongFiguresOf(judged: ReadonlyMap<string, number>, usual: Usual): readonly string[] {
  return [...judged].flatMap(([arm, meanMs]) => {
    const { lowMs, highMs } = usual.get(arm) ?? { lowMs: 0, highMs: 0 };
    return meanMs >= lowMs && meanMs <= highMs ? [] : [`${arm} took ${meanMs.toFixed(2)} ms`];
  });
}

/** Why an end is not documented: README's table of exit statuses. Undefined when it is. */
export function badEnd(
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

/** Sends the fault when its moment has come. Gives the processes that there were; none when the program had ended before. */
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
    // It has gone meanwhile.
  }
  return family;
}

/** What a list holds when it is empty, or when the time is over. */
async function leftOf<T>(list: () => readonly T[]): Promise<readonly T[]> {
  const until = performance.now() + leftLimitMs;
  while (list().length > 0 && performance.now() < until) await sleep(lookEveryMs);
  return list();
}

/** Runs the short bench, with the fault in it. */
export async function tryFault(fault: InjectedFault, seed: number, usual: Usual): Promise<Aftermath> {
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
  const isBad = isLate ? `did not end within ${endLimitMs / 1_000} s` : badEnd(fault, end);
  return {
    isHit: family.length > 0,
    processes: processes.map(({ pid, commandLine }) => `${pid} ${commandLine}`),
    namespaces: namespaces.map(({ network }) => network),
    temporaryFiles,
    isUnreadable: run === "unreadable",
    judgedFigures: judged.size,
    wrongFigures: wrongFiguresOf(judged, usual),
    badEnds: isBad === undefined ? [] : [isBad],
  };
}
