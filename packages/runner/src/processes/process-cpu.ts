// CPU time of another process, read so that the process does not notice: asking it would add to what is measured.
import { readdirSync, readFileSync } from "node:fs";
import type { Child } from "./child.ts";
import type { CpuAnswer } from "./messages.ts";

/** Milliseconds that all threads of a process have run, from the Linux scheduler's own books; undefined where there are none. */
export function cpuMsOf(pid: number): number | undefined {
  try {
    const tasks = `/proc/${pid}/task`;
    let ns = 0;
    for (const thread of readdirSync(tasks)) {
      // "time on the CPU in ns, time waiting, number of timeslices": Documentation/scheduler/sched-stats.rst
      ns += Number(readFileSync(`${tasks}/${thread}/schedstat`, "utf8").split(" ", 1)[0]);
    }
    return ns / 1e6;
  } catch {
    return undefined;
  }
}

/** CPU time of one of our processes: from the kernel, or asked where the kernel does not tell. */
export async function childCpuMs(child: Child): Promise<number> {
  const told = child.pid === undefined ? undefined : cpuMsOf(child.pid);
  return told ?? (await child.ask<CpuAnswer>({ ask: "cpu" })).cpuMs;
}
