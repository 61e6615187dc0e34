// The processes of a program: those of its session, read from the kernel.
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { statIfReadable } from "./process-stat.ts";

/** The tick in which the kernel counts the CPU time of ended children: USER_HZ is 100 on every Linux. */
const tickMs = 10;

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

interface Seen {
  readonly cpuMs: number;
  readonly children: readonly number[];
}

/** The run time of a process's threads and ended children; undefined if it has ended itself. */
function seen(pid: number): Seen | undefined {
  try {
    const tasks = `/proc/${pid}/task`;
    let cpuNs = 0;
    const children: number[] = [];
    for (const thread of readdirSync(tasks)) {
      cpuNs += Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
      const listed = readFileSync(`${tasks}/${thread}/children`, "utf8").trim();
      if (listed !== "") children.push(...listed.split(" ").map(Number));
    }
    const childrenTicks = statIfReadable(pid)?.childrenTicks;
    return childrenTicks === undefined ? undefined : { cpuMs: cpuNs / 1e6 + childrenTicks * tickMs, children };
  } catch {
    return undefined;
  }
}

/** The CPU time of a session. Children are followed from call to call; only the constructor finds processes without a parent. */
export class SessionCpu {
  readonly #known: Set<number>;

  constructor(leader: number) {
    this.#known = new Set([leader, ...processesOfSession(leader)]);
  }

  /** Milliseconds so far, of all running processes and of the children that they have waited for; null if none runs. */
  cpuMs(): number | null {
    let sum: number | null = null;
    // Iterating the set also visits children that are added meanwhile.
    for (const pid of this.#known) {
      const found = seen(pid);
      if (found === undefined) {
        this.#known.delete(pid);
        continue;
      }
      sum = (sum ?? 0) + found.cpuMs;
      for (const child of found.children) this.#known.add(child);
    }
    return sum;
  }

  get pids(): readonly number[] {
    return [...this.#known];
  }
}
