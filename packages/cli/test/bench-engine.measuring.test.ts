// `bench --engine k6`: results that ran elsewhere come home, and what a user without k6, or with results of something else, reads.
import { findK6 } from "@roundtrip/k6";
import { readRun } from "@roundtrip/runs/read";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { emptyFolder } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

interface Plan {
  readonly planHash: string;
  readonly contractHash: string;
  readonly seed: number;
  readonly round: number;
  readonly studies: readonly string[];
  readonly cells: readonly { readonly name: string; readonly tasks: number; readonly beginsMs: number }[];
}

const withK6 = await needing("k6");
const k6Here = withK6.skip === true ? undefined : await findK6();

const t0Ms = Date.UTC(2026, 0, 31, 12);

function lineOf(metric: string, value: number, tags: object, metadata?: object): string {
  const data = { time: "2026-01-31T12:00:00.123456789Z", value, tags, ...(metadata && { metadata }) };
  return `${JSON.stringify({ metric, type: "Point", data })}\n`;
}

/** What one instance of k6 writes that does all of a plan's tasks, of one call each. */
function resultsOf({ cells, studies, planHash, contractHash, seed, round }: Plan): string {
  const tags = { plan: planHash, contract: contractHash, seed: String(seed), round: String(round) };
  const calls = cells.flatMap(({ name, tasks, beginsMs }) =>
    Array.from({ length: tasks }, (_, task) =>
      lineOf(
        "roundtrip_call",
        0.5 + task / 100,
        { scenario: name, outcome: "OK" },
        { task: String(task), step: "0", at: String(beginsMs + task) },
      ),
    ),
  );
  const own = { ...tags, studies: studies.join(","), segment: "0:1", version: "v2.0.0" };
  return lineOf("roundtrip_instance", t0Ms, own) + calls.join("");
}

/** That of the first round. */
function planIn(folder: string): Plan {
  const { rounds, ...shared } = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as {
    readonly rounds: readonly object[];
  };
  return { ...shared, ...rounds[0] } as Plan;
}

const exported = ["export", "k6", "hello", "--calls", "6", "--out"];

describe("results of k6", () => {
  let cwd = "";
  beforeAll(async () => {
    cwd = emptyFolder();
    await run([...exported, "k6", "--seed", "7"], { cwd });
    writeFileSync(join(cwd, "k6", "results.json"), resultsOf(planIn(join(cwd, "k6"))));
  });

  it("become a run with a report, by the plan that lies beside them", async () => {
    const args = ["bench", "--engine", "k6", "--import", join("k6", "results.json"), "--out", "run"];
    const stdout = printed(await run(args, { cwd }));
    expect(stdout).not.toBe("");
    const { facts, samples } = await readRun(join(cwd, "run"));
    expect(samples.length).toBe(3 * 6);
    expect(facts).toMatchObject({ seed: 7, status: "complete" });
    const again = await run(["report", "run", "--format", "markdown"], { cwd });
    expect(again.stdout).toContain("k6 v2.0.0 made the calls");
    expect(again.stdout).toContain("answers were not compared here: the calls were made elsewhere");
  });

  it("of another plan are refused", async () => {
    await run([...exported, "other", "--seed", "8"], { cwd });
    const args = ["bench", "--engine", "k6", "--import", "k6/results.json", "other", "--out", "refused"];
    const { status, stderr } = await run(args, { cwd });
    expect(status).toBe(64);
    expect(stderr).toMatch(
      /^roundtrip: k6\/results\.json contains results of the plan [0-9a-f]{12}, which is not of this export\n$/,
    );
  });

  it.each([
    ["--rounds", "6"],
    ["--stack", "grpc-js"],
  ])("are not imported with %s, which would do nothing", async (flag, value) => {
    const args = ["bench", "--engine", "k6", "--import", "k6/results.json", flag, value];
    expect(refusal(await run(args, { cwd }))).toBe(`${flag} has no effect with --import; remove it`);
  });
});

it("without k6 one command is named that installs it, and nothing is started", async () => {
  const cwd = emptyFolder();
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  const env = { PATH: bin, GOBIN: bin, GOPATH: bin };
  const outcome = await run(["bench", "hello", "--engine", "k6"], { cwd, env });
  expect(refusal(outcome, 69)).toBe('k6 is not installed; "go install go.k6.io/k6@v1.8.1" installs it');
  expect(existsSync(join(cwd, "runs"))).toBe(false);
});

/** Stands before the k6 of this machine, and lets only so many processes of it start. */
function k6ThatStarts(times: number, folder: string): void {
  const [count, path] = [join(folder, "count"), join(folder, "k6")];
  const script = [
    "#!/bin/sh",
    `if [ "$1" = run ]; then`,
    `  echo started >> ${count}`,
    `  if [ $(wc -l < ${count}) -gt ${times} ]; then echo "no more today" >&2; exit 1; fi`,
    "fi",
    `exec ${k6Here?.path} "$@"`,
  ];
  writeFileSync(path, `${script.join("\n")}\n`, { mode: 0o755 });
}

it("what was measured is reported when k6 does not start any more", withK6, async () => {
  const cwd = emptyFolder();
  const bin = join(cwd, "bin");
  mkdirSync(bin);
  k6ThatStarts(1, bin);
  const args = "bench hello --engine k6 --calls 6 --rounds 2 --stack rest-express --out run".split(" ");
  const env = { PATH: `${bin}:${process.env["PATH"]}` };
  const { status, stderr } = await run(args, { cwd, env });
  expect(status).toBe(69);
  expect(stderr).toContain("no more today");
  expect((await readRun(join(cwd, "run"))).facts).toMatchObject({ status: "failed", roundsDone: 1 });
});
