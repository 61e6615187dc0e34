// The load of the machine, from the kernel's counters in /proc and the CPU limit of this run's control groups. Read between blocks.
import { dirname, join } from "node:path";
import { textOf, tickMs } from "../lifetime/session-processes.ts";

/** Totals since the start of the machine, over the cores that this process may use. */
export interface MachineTimes {
  readonly cores: number;
  /** Time in which a process or interrupt ran. */
  readonly busyMs: number;
  /** Time in which the hypervisor ran something else while the core had work; one value per core. */
  readonly stealMs: readonly number[];
}

/** `user nice system idle iowait irq softirq steal` of a `cpuN` line, see proc_stat(5): the fields in which a core runs something. */
const busyFields: readonly number[] = [0, 1, 2, 5, 6];
const stealField = 7;

/** Parses `/proc/stat`; undefined if it lists none of the cores. @param allowed the cores to count; undefined counts all. */
export function readStat(text: string, allowed?: ReadonlySet<number>): MachineTimes | undefined {
  const lines = [...text.matchAll(/^cpu(\d+) +(.+)$/gm)]
    .filter(([, core]) => allowed === undefined || allowed.has(Number(core)))
    .map(([, , ticks = ""]) => ticks.split(" ").map((count) => Number(count) * tickMs));
  if (lines.length === 0) return undefined;
  return {
    cores: lines.length,
    busyMs: lines.reduce((sum, ticks) => sum + busyFields.reduce((busy, field) => busy + (ticks[field] ?? 0), 0), 0),
    stealMs: lines.map((ticks) => ticks[stealField] ?? 0),
  };
}

/** Parses the fourth field of `/proc/loadavg`, `running/all`: threads that run or are ready to; undefined if it is missing. */
function readRunnable(text: string): number | undefined {
  const running = /^(?:\S+ ){3}(\d+)\//.exec(text)?.[1];
  return running === undefined ? undefined : Number(running);
}

/** Parses `Cpus_allowed_list` of `/proc/self/status`, such as `0-3,6`; undefined if it is missing. */
export function readAllowedCores(text: string): ReadonlySet<number> | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(text)?.[1];
  if (list === undefined) return undefined;
  return new Set(
    list.split(",").flatMap((range) => {
      const [first = 0, last = first] = range.split("-").map(Number);
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    }),
  );
}

export class MachineCounters {
  readonly #proc: string;
  readonly #allowed: ReadonlySet<number> | undefined;

  /** @param proc the path of /proc */
  constructor(proc = "/proc") {
    this.#proc = proc;
    this.#allowed = readAllowedCores(textOf(`${proc}/self/status`));
  }

  /** Undefined if the kernel does not provide the counters. */
  times(): MachineTimes | undefined {
    return readStat(textOf(`${this.#proc}/stat`), this.#allowed);
  }

  /** Other threads that run or are ready to, without this one. Undefined if the kernel does not count them. */
  waiting(): number | undefined {
    const runnable = readRunnable(textOf(`${this.#proc}/loadavg`));
    return runnable === undefined ? undefined : Math.max(0, runnable - 1);
  }
}

export interface CpuQuota {
  /** The tightest limit. */
  readonly cores: number;
  /** Since the groups were created, summed over cores. */
  readonly throttledMs: number;
}

/** The folders of a group and of its parents. In a container the path may be that of the host; then only the root exists. */
function lineage(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let group = path; ; group = dirname(group)) {
    folders.push(join(root, group));
    if (group === "/" || group === ".") return folders;
  }
}

/** The limit of a group of version 2, in microseconds; undefined without a limit. */
function quotaOf(folder: string): CpuQuota | undefined {
  const [, quotaUs, periodUs] = /^(\d+) (\d+)/.exec(textOf(join(folder, "cpu.max"))) ?? [];
  if (quotaUs === undefined) return undefined;
  const throttledUs = /^throttled_usec (\d+)/m.exec(textOf(join(folder, "cpu.stat")))?.[1] ?? 0;
  return { cores: Number(quotaUs) / Number(periodUs), throttledMs: Number(throttledUs) / 1e3 };
}

/** Reads the current limit from control groups of version 2; undefined without a limit. @param proc the path of /proc @param groups the path of the control groups */
export function cpuQuota(proc = "/proc", groups = "/sys/fs/cgroup"): CpuQuota | undefined {
  const path = /^0::(\/.*)$/m.exec(textOf(join(proc, "self/cgroup")))?.[1];
  const found = path === undefined ? [] : lineage(groups, path).flatMap((folder) => quotaOf(folder) ?? []);
  return found.toSorted((a, b) => a.cores - b.cores)[0];
}
