// A share of this machine's processors for one program and all that it starts, by the kernel's control groups, of version 2 or 1.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atExit } from "@roundtrip/runner/lifetime";

/** Short, so that who has used up its share waits for milliseconds: a slow processor stands still for none. */
const periodUs = 5_000;

const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu"] as const;

/** The commands before a program that put it into a group. */
export interface CpuLimit extends Disposable {
  readonly enter: readonly string[];
}

/** Throws where the folder is not a control group: in one, the kernel makes these files. */
function limit(directory: string, quotaUs: number): void {
  const write = (file: string, text: string): void => writeFileSync(join(directory, file), text, { flag: "r+" });
  if (existsSync(join(directory, "cpu.max"))) {
    write("cpu.max", `${quotaUs} ${periodUs}`);
  } else {
    write("cpu.cfs_period_us", String(periodUs));
    write("cpu.cfs_quota_us", String(quotaUs));
  }
}

/** How often, and after how long a pause, a group is looked at whose processes are to go. */
const attempts = 100;
const pauseMs = 20;

function endProcesses(directory: string): void {
  for (const pid of readFileSync(join(directory, "cgroup.procs"), "utf8").split("\n")) {
    if (pid !== "") process.kill(Number(pid), "SIGKILL");
  }
}

/** Ends what still runs in a group, and removes it. The program may be ending, too: nothing else runs meanwhile. */
function removeGroup(directory: string): void {
  for (let attempt = 0; attempt < attempts && existsSync(directory); attempt += 1) {
    try {
      endProcesses(directory);
      rmdirSync(directory);
    } catch {
      // Some process has not gone yet, or went just now.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }
}

/** A group that may use so many cores' worth of time; undefined where this machine, or this user, can make none. */
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
