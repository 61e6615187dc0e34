// CPU time of another process and its time waiting for a core, read from the kernel: asking the process would add to what is measured.
import { readdirSync, readFileSync } from "node:fs";

/** The counters of the Linux scheduler for one thread. */
export interface ThreadTimes {
  readonly ranMs: number;
  /** Time ready to run, while another thread had the core. */
  readonly waitedMs: number;
  /** Whether it collects garbage and compiles beside V8's main thread, on any core. False where Node.js does not name its threads, as before 24. */
  readonly isHelper: boolean;
}

/** By process and thread. */
export type ProcessTimes = ReadonlyMap<string, ThreadTimes>;

/** Parses a thread's `schedstat`: time on the CPU in ns, time waiting in ns, number of timeslices (Documentation/scheduler/sched-stats.rst). */
export function readSchedstat(text: string): Omit<ThreadTimes, "isHelper"> {
  const [ranNs, waitedNs] = text.split(" ", 2).map(Number);
  return { ranMs: (ranNs ?? Number.NaN) / 1e6, waitedMs: (waitedNs ?? Number.NaN) / 1e6 };
}

/** @param task the folder of a thread in /proc. Throws the system's error if it has ended. */
function isHelper(task: string): boolean {
  return readFileSync(`${task}/comm`, "utf8").trim() === "V8Worker";
}

/** The ids of V8's helpers in a process; empty if it has ended. */
export function helpersOf(pid: number): readonly string[] {
  const threads = `/proc/${pid}/task`;
  try {
    return readdirSync(threads).filter((thread) => isHelper(`${threads}/${thread}`));
  } catch {
    return [];
  }
}

/** The threads of a process, without those that end meanwhile. Throws the system's error if the process has ended. */
function threadsOf(pid: number, proc: string): ReadonlyMap<string, ThreadTimes> {
  const threads = `${proc}/${pid}/task`;
  const times = new Map<string, ThreadTimes>();
  for (const thread of readdirSync(threads)) {
    try {
      const ran = readSchedstat(readFileSync(`${threads}/${thread}/schedstat`, "utf8"));
      times.set(`${pid}/${thread}`, { ...ran, isHelper: isHelper(`${threads}/${thread}`) });
    } catch {
      // The thread has ended, or the kernel does not count threads.
    }
  }
  return times;
}

/** All threads of some processes; undefined if one of them has ended, or the kernel does not count them. @param proc the path of /proc */
export function processTimes(pids: readonly number[], proc = "/proc"): ProcessTimes | undefined {
  try {
    const each = pids.map((pid) => threadsOf(pid, proc));
    const times = new Map(each.flatMap((threads) => [...threads]));
    // A kernel that does not count writes zeros.
    return each.every(({ size }) => size > 0) && ranMsOf(times) > 0 ? times : undefined;
  } catch {
    return undefined;
  }
}

function ranMsOf(times: ProcessTimes): number {
  return [...times.values()].reduce((sum, { ranMs }) => sum + ranMs, 0);
}

/** Milliseconds that the threads which are there at the second reading, or V8's helpers of them, have run since the first. */
export function ranMsBetween(before: ProcessTimes, after: ProcessTimes, which: "all" | "helpers" = "all"): number {
  return [...after]
    .filter(([, thread]) => which === "all" || thread.isHelper)
    .reduce((sum, [thread, { ranMs }]) => sum + ranMs - (before.get(thread)?.ranMs ?? 0), 0);
}

/**
 * Milliseconds that processes lost to others between two readings: for the thread that lost most, its waiting time less the run time of their other
 * threads, since one of these may have had the core. No call waits for V8's helpers to get one. This is never too much, and exact if they share one core.
 * @param besideMs run time of other parts of the run that may have had the core
 */
export function lostMsBetween(before: ProcessTimes, after: ProcessTimes, besideMs = 0): number {
  const spent = [...after].flatMap(([thread, { ranMs, waitedMs, isHelper: helps }]) => {
    const then = before.get(thread);
    return helps ? [] : { ranMs: ranMs - (then?.ranMs ?? 0), waitedMs: waitedMs - (then?.waitedMs ?? 0) };
  });
  const allRanMs = ranMsBetween(before, after);
  return Math.max(0, ...spent.map(({ ranMs, waitedMs }) => waitedMs - (allRanMs - ranMs) - besideMs));
}

/** In milliseconds; Node.js has microseconds. */
export function usedMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Milliseconds that all threads of a process have run; undefined if the kernel does not count them. */
export function cpuMsOf(pid: number): number | undefined {
  const times = processTimes([pid]);
  return times === undefined ? undefined : ranMsOf(times);
}
