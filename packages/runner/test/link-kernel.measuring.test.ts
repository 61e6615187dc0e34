// The kernel link, for real.
import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { measureRtt } from "../src/link/check.ts";
import { kind } from "../src/link/kinds/kernel.ts";
import type { Link, LinkEnd, LinkFacts } from "../src/link/link.ts";
import { linkDefaults, type LinkSettings } from "../src/study/link-settings.ts";
import { measureRun } from "../src/measure-run.ts";
import { readRun } from "@roundtrip/runs/read";
import { shortRun, measureWhole } from "./support/short-run.ts";

const kernelLink = await needing("kernel-link");
const userNamespaces = await needing("user-namespaces");

const { signal } = new AbortController();
const settings = (changes: Partial<LinkSettings>): LinkSettings => ({ ...linkDefaults, ...changes });

/** The first process of a link's own, on which all others of it hang. */
function initOf({ client }: Link): number {
  return Number(/\/proc\/(\d+)\//.exec(client.commandPrefix.join(" "))?.[1]);
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
}

function at({ commandPrefix }: LinkEnd, ...command: string[]): string {
  const [program = "", ...args] = [...commandPrefix, ...command];
  return execFileSync(program, args, { encoding: "utf8" });
}

const names = ["tcp_slow_start_after_idle", "tcp_window_scaling", "tcp_rmem", "tcp_no_metrics_save"];
const readSettings = ["cat", ...names.map((name) => `/proc/sys/net/ipv4/${name}`)] as const;
const settingsOf = (end: LinkEnd): readonly string[] => at(end, ...readSettings).split("\n");

describe("a link of the kernel", { timeout: 60_000, ...kernelLink }, () => {
  let link: Link;
  const asked = settings({
    rttMs: 20,
    congestionControl: "reno",
    receiveWindowBytes: 4 * 2 ** 20,
    slowStartAfterIdle: false,
  });
  let before: readonly string[];

  beforeAll(async () => {
    before = settingsOf({ host: "", commandPrefix: [] });
    link = await kind.open(asked, signal);
  });

  afterAll(() => link[Symbol.asyncDispose]());

  it("is as far as asked for, and says how far it was measured to be", async () => {
    // The fastest of some is the link's own; the median of a busy machine may be longer.
    const measured = [await measureRtt(link, signal), await measureRtt(link, signal), await measureRtt(link, signal)];
    const leastMs = Math.min(...measured.map(({ leastRttMs }) => leastRttMs));
    expect(Math.abs(leastMs - 20)).toBeLessThanOrEqual(0.02 * 20 + 0.3);
    expect(link.facts.rttMs).toBeGreaterThanOrEqual(20 - 0.02 * 20 - 0.3);
    expect(link.facts).toMatchObject({ kind: expect.stringMatching(/^kernel \((netem|rattan)\)$/), mtuBytes: 1500 });
  });

  it("has what is set at both ends, and leaves the machine as it was", () => {
    for (const end of [link.client, link.server]) {
      const [afterIdle, scaling, memory = "", metrics] = settingsOf(end);
      expect({ afterIdle, scaling, metrics }).toEqual({ afterIdle: "0", scaling: "1", metrics: "1" });
      expect(Number(memory.split("\t")[2])).toBeGreaterThanOrEqual(1.5 * 4 * 2 ** 20);
      const peer = end === link.client ? link.server : link.client;
      const route = at(end, "ip", "-4", "route", "show", `${peer.host}/32`);
      expect(route).toContain("congctl reno");
      expect(route).toContain(`window ${4 * 2 ** 20}`);
    }
    expect(settingsOf({ host: "", commandPrefix: [] })).toEqual(before);
    expect(spawnSync("ip", ["-4", "route", "show", `${link.server.host}/32`], { encoding: "utf8" }).stdout).toBe("");
  });

  // Most of their time is waiting for packets, and none of them changes the link above.
  describe.concurrent("beside others", () => {
    it("leaves no trace when it is closed, and does not change other links", async () => {
      const other = await kind.open(settings({ rttMs: 1 }), signal);
      const [holder, folder] = [parentOf(initOf(other)), `/proc/${initOf(other)}/root/run/netns`];
      expect(readdirSync(folder).length).toBeGreaterThanOrEqual(2);
      await other[Symbol.asyncDispose]();
      await expect.poll(() => existsSync(`/proc/${holder}`), { timeout: 10_000 }).toBe(false);
      expect(existsSync(folder)).toBe(false);
      expect(other.lost.aborted).toBe(false);
      expect(at(link.client, "ip", "-4", "route", "get", link.server.host)).toContain(link.server.host);
    });

    it("has a window at one end alone, a first window for its route, and saved metrics, where that is asked for", async () => {
      const changes = {
        receiveWindowBytes: 65_536,
        windowAt: "server",
        initialWindowSegments: 200,
        savesMetrics: true,
      } as const;
      const changed = await kind.open(settings({ rttMs: 1, ...changes }), signal);
      const routes = [changed.client, changed.server].map((end, index) =>
        at(end, "ip", "-4", "route", "show", `${[changed.server, changed.client][index]?.host}/32`),
      );
      const metrics = settingsOf(changed.client)[3];
      await changed[Symbol.asyncDispose]();
      expect(routes).toEqual([
        expect.not.stringContaining("window 65536") as string,
        expect.stringContaining("window 65536") as string,
      ]);
      expect(routes.filter((route) => route.includes("initcwnd 200"))).toHaveLength(2);
      expect(metrics).toBe("0");
    });

    it("ends with the process that opened it, even when that is killed", async () => {
      const script = `
        import { kind } from ${JSON.stringify(new URL("../src/link/kinds/kernel.ts", import.meta.url).href)};
        import { linkDefaults } from ${JSON.stringify(new URL("../src/study/link-settings.ts", import.meta.url).href)};
        const link = await kind.open({ ...linkDefaults, rttMs: 1 }, new AbortController().signal);
        console.log(/proc.(\\d+)/.exec(link.client.commandPrefix.join(" "))[1]);
        setInterval(() => undefined, 1000);`;
      const opener = spawn(process.execPath, ["--input-type=module", "--eval", script], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [init] = (await once(createInterface(opener.stdout), "line")) as [string];
      const holder = parentOf(Number(init));
      opener.kill("SIGKILL");
      for (const pid of [Number(init), holder]) {
        // Not expect.poll, which forgets its test among concurrent ones.
        await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 10_000 });
      }
    });

    it("works without rights on the machine, and says what cannot be had then", userNamespaces, async () => {
      const script = `
        import { kind } from ${JSON.stringify(new URL("../src/link/kinds/kernel.ts", import.meta.url).href)};
        import { linkDefaults } from ${JSON.stringify(new URL("../src/study/link-settings.ts", import.meta.url).href)};
        await using link = await kind.open({ ...linkDefaults, rttMs: 10 }, new AbortController().signal);
        console.log(JSON.stringify(link.facts));`;
      // Root of a user namespace has rights in its own namespaces, and none on the machine.
      const entered = ["--user", "--map-root-user", process.execPath, "--input-type=module", "--eval", script];
      const { stdout, stderr } = await promisify(execFile)("unshare", entered, { encoding: "utf8" });
      expect(stderr).toBe("");
      const { kind: name, rttMs, limits } = JSON.parse(stdout) as LinkFacts;
      expect(rttMs).toBeGreaterThanOrEqual(10 - 0.5);
      expect(limits).toEqual(name.includes("rattan") ? ["small-buffers"] : undefined);
      expect(link.facts.limits).toBeUndefined();
    });
  });
});

describe("a run over a link of the kernel", { timeout: 60_000, ...kernelLink }, () => {
  it("is measured between its two ends, for tasks that name no network too", async () => {
    const options = await shortRun({ link: "kernel", rounds: 1, warmUpMs: 1, stackNames: ["rest-express"] });
    const { arms, environment, blocks } = await measureWhole(options);
    expect(arms.map(({ factors }) => factors)).toEqual([{ rttMs: 0 }, { rttMs: 0 }]);
    expect(environment.links).toMatchObject([{ asked: { rttMs: 0 }, kind: expect.stringMatching(/^kernel/) }]);
    expect(blocks.length).toBeGreaterThan(0);
  });

  it("that goes in the middle ends at once, and keeps what was measured", async () => {
    // A distance that a busy machine can keep.
    const links = { rttMs: [100] };
    // Nobody waits until calls are given up.
    const wish = { rounds: 50, warmUpMs: 1, answerLimitMs: 600_000, stackNames: ["rest-express"] };
    const options = await shortRun({ link: "kernel", links, ...wish });
    const before = new Set(holders());
    const run = measureRun(options, new AbortController().signal, ({ round, done }) => {
      if (round === 1 && done > 0) for (const pid of holders()) if (!before.has(pid)) process.kill(pid, "SIGKILL");
    });
    await expect(run).rejects.toMatchObject({ code: "link-lost" });
    const { facts, samples } = await readRun(options.directory);
    expect(facts).toMatchObject({ status: "failed", roundsDone: 1 });
    expect(samples.length).toBeGreaterThan(0);
  });
});

function holders(): readonly number[] {
  const children = readdirSync("/proc/self/task").flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("unshare\0"));
}
