// Processes of the real k6: they wait for each other, begin together, and leave nothing behind however they end.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Instances } from "../../src/instances/instances.ts";
import { k6Here, withK6 } from "../support/script-runs.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "k6-instances-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Reports T0 as scripts do, runs some iterations, and reports its environment. */
const script = (iterations: number, pauseS: number): string => `
import exec from "k6/execution";
import { sleep } from "k6";
import { Gauge, Counter } from "k6/metrics";
const began = new Gauge("roundtrip_instance");
const done = new Counter("roundtrip_done");
export const options = { scenarios: { c0000: { executor: "shared-iterations", vus: 2, iterations: ${iterations}, maxDuration: "30s" } } };
export function setup() {
  const [step, lead] = [Number(__ENV.T0_STEP_MS), Number(__ENV.T0_LEAD_MS)];
  const t0 = Math.ceil((Date.now() + lead) / step) * step;
  console.info("T0 " + t0);
  began.add(t0, { segment: String(__ENV.PLACE ?? "none"), home: String(__ENV.HOME ?? "none") });
  sleep((t0 - Date.now()) / 1000);
}
export default function () { done.add(1, { task: String(exec.scenario.iterationInTest) }); sleep(${pauseS}); }
`;

let runs = 0;
function instances(
  text: string,
  count: number,
  env: Readonly<Record<string, string>> = {},
  k6 = k6Here?.path ?? "",
  secrets: Readonly<Record<string, string>> = {},
): Instances {
  if (k6Here === undefined) throw new Error("there is no k6");
  runs += 1;
  const path = join(folder, `script-${runs}.js`);
  writeFileSync(path, text);
  const own = mkdtempSync(join(folder, "run-"));
  return new Instances({
    k6: { ...k6Here, path: k6 },
    script: path,
    folder: own,
    home: own,
    count,
    env,
    secrets,
    core: undefined,
    readyLimitMs: 20_000,
  });
}

interface Line {
  readonly metric: string;
  readonly type: string;
  readonly data: { readonly value: number; readonly tags: Readonly<Record<string, string>> };
}

function linesOf(paths: readonly string[], metric: string): readonly Line[] {
  return paths
    .flatMap((path) => readFileSync(path, "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.metric === metric && line.type === "Point");
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("instances of k6", { timeout: 60_000, ...withK6 }, () => {
  it("instances choose the same T0, report it, and run each task of the test once", async () => {
    const two = instances(script(20, 0), 2, { PLACE: "here" });
    await two.start();
    const t0Ms = await two.resume();
    await two.settled();
    expect(two.failed).toBeUndefined();
    const began = linesOf(two.files, "roundtrip_instance");
    expect(began.map(({ data }) => data.value)).toEqual([t0Ms, t0Ms]);
    // Only what it was given: nothing of the environment of whoever started it.
    expect(began.map(({ data }) => [data.tags["segment"], data.tags["home"]])).toEqual([
      ["here", "none"],
      ["here", "none"],
    ]);
    const tasks = linesOf(two.files, "roundtrip_done").map(({ data }) => Number(data.tags["task"]));
    expect(tasks.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, task) => task));
  });

  it("a script can read a secret, which no argument of its process has", async () => {
    const one = instances(script(2, 0), 1, {}, k6Here?.path, { PLACE: "s3cret" });
    await one.start();
    // Where the kernel shows the arguments of processes.
    const commands = one.pids.map((pid) => `/proc/${pid}/cmdline`).filter((path) => existsSync(path));
    expect(commands.map((path) => readFileSync(path, "utf8").includes("s3cret"))).toEqual(commands.map(() => false));
    await one.resume();
    await one.settled();
    const [began] = linesOf(one.files, "roundtrip_instance");
    expect(began?.data.tags["segment"]).toBe("s3cret");
  });

  it("an instance that is killed is reported, and the others can be stopped", async () => {
    const two = instances(script(1_000, 0.02), 2);
    await two.start();
    await two.resume();
    const [first] = two.pids;
    process.kill(first ?? 0, "SIGKILL");
    await two.settled();
    expect(two.failed).toMatchObject({
      wasKilled: true,
      end: { name: "k6 instance 1 of 2", how: "killed", signal: "SIGKILL" },
    });
    await two.stop();
    expect(two.pids.some(isThere)).toBe(false);
  });

  it("a script that k6 rejects is reported in k6's words, and nothing is left running", async () => {
    const broken = instances("export default function () {}\nthrow new Error('no such thing');\n", 2);
    await expect(broken.start()).rejects.toMatchObject({
      code: "instance-failed",
      message: expect.stringMatching(
        /^the k6 instance \d of 2 process ended by itself \(exit status \d+\): .*no such thing/,
      ),
    });
    expect(broken.pids.some(isThere)).toBe(false);
  });
});
