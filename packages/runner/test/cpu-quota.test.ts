// The limit of a control group, read from files as the kernel lays them out in versions 1 and 2.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { cpuQuota } from "../src/evidence/machine-counters.ts";

function quotaIn(files: Readonly<Record<string, string>>): ReturnType<typeof cpuQuota> {
  const folder = mkdtempSync(join(tmpdir(), "cpu-quota-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return cpuQuota(join(folder, "proc"), join(folder, "groups"));
}

it("is read of version 2, of the tightest group around the process", () => {
  const quota = quotaIn({
    "proc/self/cgroup": "0::/outer/inner\n",
    "groups/outer/inner/cpu.max": "max 100000\n",
    "groups/outer/cpu.max": "66000 100000\n",
    "groups/outer/cpu.stat": "usage_usec 9\nnr_throttled 3\nthrottled_usec 2500\n",
  });
  expect(quota).toEqual({ cores: 0.66, throttledMs: 2.5 });
});

it.each([
  ["50000", "200000"],
  ["200000", "50000"],
])("is that of the tightest group where several have a limit: %s in %s", (inner, outer) => {
  const quota = quotaIn({
    "proc/self/cgroup": "0::/outer/inner\n",
    "groups/outer/inner/cpu.max": `${inner} 100000\n`,
    "groups/outer/cpu.max": `${outer} 100000\n`,
  });
  expect(quota?.cores).toBe(0.5);
});

it("is read of version 1, and of the root where a container shows no more", () => {
  const quota = quotaIn({
    "proc/self/cgroup": "3:memory:/m\n2:cpu,cpuacct:/docker/one\n",
    "groups/cpu/cpu.cfs_quota_us": "50000\n",
    "groups/cpu/cpu.cfs_period_us": "100000\n",
    "groups/cpu/cpu.stat": "nr_periods 1\nnr_throttled 1\nthrottled_time 4000000\n",
  });
  expect(quota).toEqual({ cores: 0.5, throttledMs: 4 });
});

it("is undefined without a limit, and where there are no groups", () => {
  const unlimited = { "groups/cpu/cpu.cfs_quota_us": "-1\n", "groups/cpu/cpu.cfs_period_us": "100000\n" };
  expect(quotaIn({ "proc/self/cgroup": "2:cpu:/\n", ...unlimited })).toBeUndefined();
  expect(quotaIn({})).toBeUndefined();
});
