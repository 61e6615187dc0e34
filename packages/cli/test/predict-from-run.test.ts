// `predict --from`: the demands of a measured run, and what is said where they are not known.
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const measured = fileURLToPath(new URL("fixtures/measured-run", import.meta.url));

interface Demands {
  readonly roundTripMs: number;
  readonly clientMs: number;
  readonly serverMs: number;
  readonly delayMs: number;
  readonly phaseTwoMs: number;
}

interface Conditions {
  readonly demands: Demands;
  readonly points: readonly {
    readonly callers: number;
    readonly prediction: {
      readonly roundTripMs: number;
      readonly throughputHz: number;
    };
  }[];
}

interface Document {
  readonly model: string;
  readonly assumptions: readonly string[];
  readonly tasks: readonly {
    readonly arm: { readonly task: string; readonly stack: string };
    readonly asMeasured: Conditions;
    readonly changed: Conditions | null;
  }[];
}

const cwd = emptyFolder();

interface StoredRun {
  arms: { id: string; study: string; task: string; stack: string; title: string; target?: string }[];
  blocks: { serverCpuMs: number | null }[];
  capacities?: object[];
}

/** Many callers of a target, as a search of its capacity keeps them. */
interface ManyCallers {
  readonly tasksPerSecond: number;
  readonly clientUtilisation: number;
}

/** Keeps the measured run as one of a target, whose processor time is not known. */
function keepTarget(name: string, many?: ManyCallers): void {
  cpSync(measured, join(cwd, name), { recursive: true });
  const file = join(cwd, name, "run.json");
  const facts = JSON.parse(readFileSync(file, "utf8")) as StoredRun;
  for (const arm of facts.arms) arm.target = "https://shop.example.com";
  for (const block of facts.blocks) block.serverCpuMs = null;
  if (many !== undefined) {
    const closedLoop = { callers: 200, serverCpuMsPerTask: null, ...many };
    const about = { limitMs: 20, foundHz: 1, limitedBy: "latency", closedLoop, probes: [] };
    facts.capacities = facts.arms.map((arm) => ({ ...arm, ...about, armIds: [arm.id] }));
  }
  writeFileSync(file, JSON.stringify(facts));
}

beforeAll(() => {
  cpSync(measured, join(cwd, "run"), { recursive: true });
  keepTarget("target");
  keepTarget("busy-target", { tasksPerSecond: 2_000, clientUtilisation: 0.4 });
  keepTarget("busy-client", { tasksPerSecond: 2_000, clientUtilisation: 0.97 });
});

async function predicted(words: string): Promise<Document> {
  return JSON.parse(printed(await run(["predict", ...words.split(" "), "--json"], { cwd }))) as Document;
}

function roundTrips({ points }: Conditions): readonly (number | undefined)[] {
  return points.map(({ prediction }) => prediction.roundTripMs);
}

describe("predict --from", () => {
  it("predicts one caller as measured, and more callers no faster than the server's processor", async () => {
    const { model, tasks } = await predicted("--from run --load callers=1,100");
    expect(model).toBe("mva");
    expect(tasks.length).toBeGreaterThan(0);
    for (const { asMeasured, changed } of tasks) {
      const { demands, points } = asMeasured;
      expect(changed).toBeNull();
      expect(demands.roundTripMs + demands.phaseTwoMs).toBeCloseTo(
        demands.clientMs + demands.serverMs + demands.delayMs,
        9,
      );
      expect(roundTrips(asMeasured)[0]).toBeCloseTo(demands.roundTripMs, 9);
      expect(points[1]?.prediction.throughputHz).toBeLessThanOrEqual(1.01 * (1_000 / demands.serverMs));
    }
  });

  it("shows a faster server and a longer distance beside what was measured", async () => {
    const { tasks } = await predicted("--from run --load callers=1,30 --what-if server-speed=2,farther-ms=20");
    for (const { asMeasured, changed } of tasks) {
      expect(changed?.demands.serverMs).toBeCloseTo(asMeasured.demands.serverMs / 2, 9);
      expect(changed?.demands.delayMs).toBeGreaterThanOrEqual(asMeasured.demands.delayMs + 20 - 1e-9);
      expect(roundTrips(changed as Conditions)[0]).toBeGreaterThan(20);
    }
    const { stdout } = await run("predict --from run --load callers=3 --what-if server-speed=2".split(" "), { cwd });
    expect(stdout).toContain("changed: server 2 times as fast");
    expect(stdout).toContain("Assumed: one processor serves all callers, one call after the other; each caller has");
  });

  it("selects tasks and stacks, and keeps pictures", async () => {
    const all = await predicted("--from run");
    const [first] = all.tasks;
    const { task = "", stack = "" } = first?.arm ?? {};
    const some = await predicted(`--from run --only ${task} --stack ${stack} --out kept`);
    expect(new Set(some.tasks.map(({ arm }) => `${arm.task} ${arm.stack}`))).toEqual(new Set([`${task} ${stack}`]));
    expect(readFileSync(join(cwd, "kept", "round-trip.svg"), "utf8")).toMatch(/^<svg .*<\/svg>\n$/s);
  });

  it("takes a target's processor time from callers who kept it busy, and predicts no more than they got", async () => {
    const { tasks, assumptions } = await predicted("--from busy-target --load callers=500");
    const [first] = tasks;
    expect(first?.asMeasured.demands.serverMs).toBeCloseTo(0.5, 9);
    expect(first?.asMeasured.points[0]?.prediction.throughputHz).toBeLessThanOrEqual(2_000 * 1.01);
    expect(assumptions.join()).toMatch(
      /1 \/ the rate of callers that kept it busy: .* had 200 callers, and 2,000 a second/,
    );
  });

  const mistakes: readonly (readonly [words: string, message: RegExp])[] = [
    ["--from nowhere", /^there is no run at nowhere$/],
    ["mm1 --from run", /^--from predicts by mva, not by mm1; remove mm1$/],
    ["--from run --simulate", /^--simulate has no effect with --from; remove it$/],
    ["mm1 --load rate=1 --service-ms 1 --what-if server-speed=2", /^--what-if is for --from, not for mm1$/],
    ["--from run --stack soap-node-http", /^the run has none of these tasks over these stacks/],
    ["--from run --load callers=1000000", /^--load callers must be at most 100000 with --from, got 1000000$/],
    [
      "--from target --load callers=50,think=100",
      /^the processor time of the server at https:\/\/shop\.example\.com is not known, because it is a target\. Known without it: a \S+ takes [\d.]+ ms or longer, and 50 callers with 100 ms between calls make at most [\d.]+ a second\. Measure how many tasks it carries: run the same bench command with the study load-calls, .* Or give --service-ms, /,
    ],
    [
      "--from busy-client",
      /The rate of its 200 callers does not show it: .* \(busy for 97 % of the time\)\. Or .* Or give --service-ms, /,
    ],
  ];

  it.each(mistakes)("%s is refused in one line", async (words, message) => {
    expect(refusal(await run(["predict", ...words.split(" ")], { cwd }))).toMatch(message);
  });
});
