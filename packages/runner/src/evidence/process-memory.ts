// Memory of processes: what the kernel counts, read from outside, and the live heap of this process. All of it is read outside timed blocks.
import type { ResidentMemory } from "@roundtrip/runs";
import { readFileSync, writeFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Both are in `/proc/PID/status`, see proc_pid_status(5), which names KiB kB. */
type StatusField = "VmRSS" | "VmHWM";

function bytesIn(pid: number, field: StatusField, proc: string): number | undefined {
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`${proc}/${pid}/status`, "utf8")) ?? [];
  return kib === undefined ? undefined : 1_024 * Number(kib);
}

/** The sum over all processes; undefined without any, or where the kernel does not report one of them. */
function sumOf(pids: readonly number[], field: StatusField, proc: string): number | undefined {
  try {
    const each = pids.map((pid) => bytesIn(pid, field, proc) ?? Number.NaN);
    const sum = each.reduce((total, bytes) => total + bytes, 0);
    return each.length === 0 || Number.isNaN(sum) ? undefined : sum;
  } catch {
    // It has ended, or there is no such file.
    return undefined;
  }
}

/** Physical memory of these processes; a page that several share counts for each. @param proc the path of /proc */
export function residentBytesOf(pids: readonly number[], proc = "/proc"): number | undefined {
  return sumOf(pids, "VmRSS", proc);
}

/** The most that these processes have had since they began, or since the kernel was told to begin anew. */
export function peakBytesOf(pids: readonly number[], proc = "/proc"): number | undefined {
  return sumOf(pids, "VmHWM", proc);
}

/** Lets the kernel's peaks begin anew, see proc_pid_clear_refs(5). False where it does not: then peaks are those since the processes began. */
function forgetPeaks(pids: readonly number[], proc = "/proc"): boolean {
  try {
    for (const pid of pids) writeFileSync(`${proc}/${pid}/clear_refs`, "5");
    return true;
  } catch {
    return false;
  }
}

/** Begins a peak for each of these processes. Returns a function that reads it, and what they have by then. */
export function watchMemory(pids: readonly number[], proc = "/proc"): () => ResidentMemory | undefined {
  const isNew = forgetPeaks(pids, proc);
  return () => {
    const [residentBytes, peakBytes] = [residentBytesOf(pids, proc), isNew ? peakBytesOf(pids, proc) : undefined];
    if (residentBytes === undefined) return undefined;
    return peakBytes === undefined ? { residentBytes } : { residentBytes, peakBytes };
  };
}

/** Bytes of the objects in the heap of this process that are in use: collects garbage first, which takes milliseconds. */
export function liveHeapBytes(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
