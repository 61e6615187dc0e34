// Limits one program and all its processes to a share of the processors, by control groups of the kernel, version 2 or 1.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atExit } from "@roundtrip/runner/lifetime";

/** Short, so that a program that has used up its share waits only for milliseconds: a slow processor never stands still. */
const periodUs = 5_000;

const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu"] as const;

/** The command that starts a program in a group, as the words before it. */
export interface CpuLimit extends Disposable {
  readonly enter: readonly string[];
}

/** Throws if the folder is not a control group: in one, the kernel creates these files. */
function limit(directory: string, quotaUs: number): void {
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text, { flag: "r+" });
  if (existsSync(join(directory, "cpu.max"))) {
    write("cpu.max", `${quotaUs} ${periodUs}`);
  } else {
    write("cpu.cfs_period_us", String(periodUs));
    write("cpu.cfs_quota_us", String(quotaUs));
  }
}

/** How often, and at which interval, to check that the processes of a group have ended. */
const attempts = 100;
const pauseMs = 20;

function endProcesses(directory: string): void {
  for (const pid of readFileSync(join(directory, "cgroup.procs"), "utf8").split("\n")) {
    if (pid !== "") process.kill(Number(pid), "SIGKILL");
  }
}

/** Ends the processes of a group, and removes it. Synchronous, because the program may be exiting. */
function removeGroup(directory: string): void {
  for (let attempt = 0; attempt < attempts && existsSync(directory); attempt += 1) {
    try {
      endProcesses(directory);
      rmdirSync(directory);
    } catch {
      // A process has not ended yet, or ended just now.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** A group limited to this many cores' worth of time; undefined if this machine or user cannot create one. */
export function cpuLimit(cores: number): CpuLimit | undefined {
  for (const root of roots.filter((one) => existsSync(join(one, "cgroup.procs")))) {
    const directory = join(root, `roundtrip-other-machines-${process.pid}`);
    const made = atExit(() => removeGroup(directory));
    try {
      mkdirSync(directory);
      limit(directory, Math.round(cores * periodUs));
      const enter = ["sh", "-c", 'echo $$ > "$0/cgroup.procs" && exec "$@"', directory];
      return { enter, [Symbol.dispose]: made[Symbol.dispose] };
    } catch {
      made[Symbol.dispose]();
    }
  }
  return undefined;
}
