// A share of this machine's processors for one program and all that it starts, by the kernel's control groups, of version 2 or 1.
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { atExit } from "@roundtrip/runner/lifetime";

/** Short, so that who has used up its share waits for milliseconds: a slow processor stands still for none. */
const periodUs = 5_000;

const roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/cpu"] as const;

/** The commands before a program that put it into a group. */
export interface CpuLimit extends Disposable {
  readonly enter: readonly string[];
}

function limit(directory: string, quotaUs: number): void {
  if (existsSync(join(directory, "cpu.max"))) {
    writeFileSync(join(directory, "cpu.max"), `${quotaUs} ${periodUs}`);
  } else {
    writeFileSync(join(directory, "cpu.cfs_period_us"), String(periodUs));
    writeFileSync(join(directory, "cpu.cfs_quota_us"), String(quotaUs));
  }
}

function removeQuietly(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // It was never made, or a process in it has not gone yet: an empty group costs nothing.
  }
}

/** A group that may use so many cores' worth of time; undefined where this machine, or this user, can make none. */
export function cpuLimit(cores: number): CpuLimit | undefined {
  for (const root of roots) {
    const directory = join(root, `roundtrip-strangers-${process.pid}`);
    const made = atExit(() => removeQuietly(directory));
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
