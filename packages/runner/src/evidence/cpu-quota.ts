// The CPU limit of the control groups of this run, and how long it was throttled: see cgroups(7).
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface CpuQuota {
  /** The tightest limit. */
  readonly cores: number;
  /** Since the groups were created, summed over cores. */
  readonly throttledMs: number;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** The folders of a group and of its parents. In a container the path may be that of the host; then only the root exists. */
function lineage(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let group = path; ; group = dirname(group)) {
    folders.push(join(root, group));
    if (group === "/" || group === ".") return folders;
  }
}

/** The limit of version 2 (`cpu.max`, microseconds) or 1 (`cpu.cfs_quota_us`, nanoseconds); undefined without a limit. */
function quotaOf(folder: string): CpuQuota | undefined {
  const max = /^(\d+) (\d+)/.exec(read(join(folder, "cpu.max")));
  const quotaUs = Number(max?.[1] ?? read(join(folder, "cpu.cfs_quota_us")));
  const periodUs = Number(max?.[2] ?? read(join(folder, "cpu.cfs_period_us")));
  const cores = quotaUs / periodUs;
  if (!(cores > 0) || !Number.isFinite(cores)) return undefined;
  const counts = read(join(folder, "cpu.stat"));
  const throttledUs = /^throttled_usec (\d+)/m.exec(counts)?.[1];
  const throttledNs = /^throttled_time (\d+)/m.exec(counts)?.[1];
  return { cores, throttledMs: throttledUs === undefined ? Number(throttledNs ?? 0) / 1e6 : Number(throttledUs) / 1e3 };
}

/** Reads the current limit; undefined without a limit. @param proc the path of /proc @param groups the path of the control groups */
export function cpuQuota(proc = "/proc", groups = "/sys/fs/cgroup"): CpuQuota | undefined {
  const found = read(join(proc, "self/cgroup"))
    .split("\n")
    .flatMap((line) => {
      const [, controllers = "", path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (path === undefined) return [];
      const isCpu = controllers.split(",").includes("cpu");
      if (controllers !== "" && !isCpu) return [];
      const root = isCpu ? join(groups, "cpu") : groups;
      return lineage(root, path).flatMap((folder) => quotaOf(folder) ?? []);
    });
  return found.toSorted((one, other) => one.cores - other.cores)[0];
}
