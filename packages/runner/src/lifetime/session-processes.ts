// A program with all processes that it started: the processes of its session, read from the kernel.
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { statIfReadable } from "./process-stat.ts";

/** The kernel's tick, in which it counts the CPU time of children that have ended: USER_HZ is 100 on every Linux. */
const tickMs = 10;

/** The processes of a session, including its leader while that runs; empty if the kernel does not provide them. */
function processesOfSession(leader: number): readonly number[] {
  if (platform() !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statIfReadable(pid)?.session === leader);
}

/** Ends a session: its leader's group at once, and whatever of it has a group of its own. Processes that have ended are ignored. */
export function killSession(leader: number): void {
  for (const pid of [-leader, ...processesOfSession(leader)]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

interface Seen {
  readonly cpuMs: number;
  readonly children: readonly number[];
}

/** One process: what its threads have run, with the time of its ended children; undefined if it has ended itself. */
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

/** The CPU time of a session. Children are followed from call to call; processes without a parent are found only by the constructor. */
export class SessionCpu {
  readonly #known: Set<number>;

  /** Looks through all processes once. */
  constructor(leader: number) {
    this.#known = new Set([leader, ...processesOfSession(leader)]);
  }

  /** Milliseconds so far, of all processes that are there and of the children that they have waited for; null when none is there. */
  cpuMs(): number | null {
    let sum: number | null = null;
    // Children that are found on the way are looked at too.
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
