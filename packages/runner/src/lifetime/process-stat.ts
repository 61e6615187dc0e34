// Reads /proc/PID/stat. Every command loads this file before anything else, and it loads nothing of a run.
import { readFileSync } from "node:fs";

/** Fields of proc_pid_stat(5). Times are in ticks of the kernel: 10 ms on every Linux. */
export interface ProcessStat {
  /** One letter; `Z` and `X` for a process that has ended. */
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** CPU time of the children that it has waited for. */
  readonly childrenTicks: number;
  /** Since the start of the machine. Together with the id, it identifies a process uniquely. */
  readonly startedAtTicks: number;
}

/** The error codes for a process that has ended, maybe while it was read. */
const goneCodes = new Set<unknown>(["ENOENT", "ESRCH"]);

/** Undefined if there is no such process, or no `/proc`. Throws the system's error if it cannot be read, such as without a free file descriptor. */
export function processStat(pid: number): ProcessStat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch (thrown) {
    if (goneCodes.has((thrown as NodeJS.ErrnoException).code)) return undefined;
    throw thrown;
  }
  // The name before them is in parentheses, and may contain any character.
  const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
  const numberAt = (index: number): number => Number(fields[index]);
  return {
    state: fields[0] ?? "",
    parent: numberAt(1),
    group: numberAt(2),
    session: numberAt(3),
    childrenTicks: numberAt(13) + numberAt(14),
    startedAtTicks: numberAt(19),
  };
}

/** As {@link processStat}; undefined also if it cannot be read. */
export function statIfReadable(pid: number): ProcessStat | undefined {
  try {
    return processStat(pid);
  } catch {
    return undefined;
  }
}
