// CPU time of another process and what it waited for a core, read so that the process does not notice: asking it would add to what is measured.
import { readdirSync, readFileSync } from "node:fs";

/** What the Linux scheduler has counted of one thread so far. */
export interface ThreadTimes {
  readonly ranMs: number;
  /** Ready to run, with another thread on its core. */
  readonly waitedMs: number;
}

/** By process and thread. */
export type ProcessTimes = ReadonlyMap<string, ThreadTimes>;

/** Reads a thread's `schedstat`: time on the CPU in ns, time waiting in ns, number of timeslices (Documentation/scheduler/sched-stats.rst). */
export function readSchedstat(text: string): ThreadTimes {
  const [ranNs, waitedNs] = text.split(" ", 2).map(Number);
  return { ranMs: (ranNs ?? Number.NaN) / 1e6, waitedMs: (waitedNs ?? Number.NaN) / 1e6 };
}

/** All threads of some processes; undefined if one of them has ended, or the kernel does not count them. @param proc the path of /proc */
export function processTimes(pids: readonly number[], proc = "/proc"): ProcessTimes | undefined {
  try {
    const times = new Map<string, ThreadTimes>();
    for (const pid of pids) {
      const threads = `${proc}/${pid}/task`;
      for (const thread of readdirSync(threads)) {
        times.set(`${pid}/${thread}`, readSchedstat(readFileSync(`${threads}/${thread}/schedstat`, "utf8")));
      }
    }
    return times.size === 0 ? undefined : times;
  } catch {
    return undefined;
  }
}

/** Milliseconds that all these threads have run. */
export function ranMsOf(times: ProcessTimes): number {
  return [...times.values()].reduce((sum, { ranMs }) => sum + ranMs, 0);
}

/**
 * Milliseconds that processes lost to others between two readings: of the thread that lost most, what it waited for a core less what their other threads
 * ran, since one of its own may have had that core. That is never too much, and exact where they share one core.
 * @param besideMs what else of the run may have had that core in this time
 */
export function lostMsBetween(before: ProcessTimes, after: ProcessTimes, besideMs = 0): number {
  const spent = [...after].map(([thread, { ranMs, waitedMs }]) => {
    const then = before.get(thread);
    return { ranMs: ranMs - (then?.ranMs ?? 0), waitedMs: waitedMs - (then?.waitedMs ?? 0) };
  });
  const allRanMs = spent.reduce((sum, { ranMs }) => sum + ranMs, 0);
  return Math.max(0, ...spent.map(({ ranMs, waitedMs }) => waitedMs - (allRanMs - ranMs) - besideMs));
}

/** Milliseconds of what a process says of its own CPU time, which Node.js has in microseconds. */
export function usedMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}

/** Milliseconds that all threads of a process have run; undefined where the kernel does not count them. */
export function cpuMsOf(pid: number): number | undefined {
  const times = processTimes([pid]);
  return times === undefined ? undefined : ranMsOf(times);
}
