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

it("is undefined without a limit, and where there are no groups", () => {
  const unlimited = { "groups/cpu/cpu.cfs_quota_us": "-1\n", "groups/cpu/cpu.cfs_period_us": "100000\n" };
  expect(quotaIn({ "proc/self/cgroup": "2:cpu:/\n", ...unlimited })).toBeUndefined();
  expect(quotaIn({})).toBeUndefined();
});
