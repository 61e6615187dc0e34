// Processes as the kernel lists them, and the sessions of programs. Every command loads this file before anything else, and it loads nothing of a run.
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";

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

/** The tick in which the kernel counts CPU time: USER_HZ is 100 on every Linux. */
export const tickMs = 10;

/** The processes of a session, including its leader if that runs; empty if the kernel does not provide them. */
function processesOfSession(leader: number): readonly number[] {
  if (platform() !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statIfReadable(pid)?.session === leader);
}

/** Kills a session: its leader's group, and its processes in other groups. Ignores processes that have ended. */
export function killSession(leader: number): void {
  for (const pid of [-leader, ...processesOfSession(leader)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
}

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** The processes that were started with this variable in their environment, by this process or by its descendants, in any session. Linux only. */
export function processesStartedWith(variable: string, value: string): readonly RunningProcess[] {
  if (platform() !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || !textOf(`/proc/${name}/environ`).split("\0").includes(`${variable}=${value}`)) return [];
    return [{ pid: Number(name), command: textOf(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim() }];
  });
}

interface Seen {
  /** The run time of each thread, in milliseconds. */
  readonly threads: ReadonlyMap<string, number>;
  /** The run time of ended children. */
  readonly childrenMs: number;
  readonly children: readonly number[];
}

/** Of a file of the kernel; empty where there is none, such as of a thread that has ended. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

/** The run time of a process's threads and ended children; undefined if it has ended itself. */
function seen(pid: number): Seen | undefined {
  try {
    const tasks = `/proc/${pid}/task`;
    const threads = new Map<string, number>();
    const children: number[] = [];
    for (const thread of readdirSync(tasks)) {
      threads.set(thread, Number(textOf(`${tasks}/${thread}/schedstat`).split(" ", 1)[0]) / 1e6);
      const listed = textOf(`${tasks}/${thread}/children`);
      if (listed !== "") children.push(...listed.split(" ").map(Number));
    }
    const childrenTicks = statIfReadable(pid)?.childrenTicks;
    return childrenTicks === undefined ? undefined : { threads, childrenMs: childrenTicks * tickMs, children };
  } catch {
    return undefined;
  }
}

/** The CPU time of a session. Children are followed from call to call; only the constructor finds processes without a parent. */
export class SessionCpu {
  /** The run time of each process's threads: what a thread has run remains after its end. */
  readonly #known: Map<number, Map<string, number>>;

  constructor(leader: number) {
    this.#known = new Map([leader, ...processesOfSession(leader)].map((pid) => [pid, new Map()]));
  }

  /** Milliseconds so far, of all running processes and of the children that they have waited for; null if none runs, or the kernel does not count. */
  cpuMs(): number | null {
    let [ofThreadsMs, ofChildrenMs] = [0, 0];
    // Iterating the map also visits children that are added meanwhile.
    for (const [pid, threads] of this.#known) {
      const found = seen(pid);
      if (found === undefined) {
        this.#known.delete(pid);
        continue;
      }
      for (const [thread, ms] of found.threads) threads.set(thread, Math.max(ms, threads.get(thread) ?? 0));
      for (const ms of threads.values()) ofThreadsMs += ms;
      ofChildrenMs += found.childrenMs;
      for (const child of found.children) if (!this.#known.has(child)) this.#known.set(child, new Map());
    }
    return ofThreadsMs === 0 ? null : ofThreadsMs + ofChildrenMs;
  }

  get pids(): readonly number[] {
    return [...this.#known.keys()];
  }
}
