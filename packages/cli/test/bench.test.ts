// `bench` when all goes well, and places that a run cannot be kept in.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { newRunDirectory } from "../src/bench/new-run-directory.ts";
import { emptyFolder, run as runAlone, type Outcome } from "./support/run-program.ts";
import { run } from "./support/shared-program.ts";
import { refusal, printed } from "./support/outcomes.ts";

const onTerminal = await needing("bash", "script");

const short = ["bench", "hello", "--stack", "rest-express", "--rounds", "1", "--calls", "20"];

describe("a short run", () => {
  const cwd = emptyFolder();
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await runAlone([...short, "--seed", "7", "--budget", "40s", "--out", "runs/first"], { cwd });
  });

  it("prints its plan on standard error, without progress unless it is a terminal", () => {
    expect(outcome).toMatchObject({
      status: 0,
      stderr: "Measuring hello over REST, TCP echo, in process: up to 1 round within 40 s, into runs/first\n",
    });
  });

  it("prints a table, a box plot and what follows, and leaves all documents behind", async () => {
    expect(outcome.stdout).toMatch(/^hello: time and cost of a task, in .s\b/);
    expect(outcome.stdout).toContain("\nhello: latency per task, in ");
    expect(outcome.stdout).toContain("\nWhat follows\n- ");
    const files = ["plots", "report.html", "report.md", "run.json", "samples.parquet"];
    expect(readdirSync(join(cwd, "runs", "first")).toSorted()).toEqual(files);
    const { status, seed, blocks } = JSON.parse(await readFile(join(cwd, "runs/first/run.json"), "utf8")) as {
      readonly status: string;
      readonly seed: number;
      readonly blocks: readonly unknown[];
    };
    expect({ status, seed }).toEqual({ status: "complete", seed: 7 });
    expect(blocks.length).toBeGreaterThan(0);
  });

  it("can be reported again, with the same words", async () => {
    const again = await run(["report", "runs/first"], { cwd });
    expect(again).toEqual({ ...outcome, stderr: "" });
  });

  it("is one JSON document with --json, and silent with --quiet", async () => {
    const stdout = printed(
      await run([...short, "--json", "--quiet", "--link", "loopback", "--tls"], {
        cwd,
      }),
    );
    expect(JSON.parse(stdout)).toMatchObject({ facts: { status: "complete", roundsDone: 1 } });
  });

  it("shows progress on a terminal: bar, round and time left", onTerminal, async () => {
    const shell = `script --quiet --return --command "$(printf '%q ' "$@")" /dev/null`;
    const rounds = ["bench", "hello", "--stack", "floor", "--rounds", "2", "--calls", "200"];
    const { status, stdout } = await runAlone([...rounds, "--out", "watched"], {
      cwd,
      shell,
      env: { TERM: "xterm-256color" },
    });
    expect(status).toBe(0);
    expect(stdout).toContain("0 %  starting servers and clients");
    expect(stdout).toMatch(/█+░* \d+ % {2}round [12] of 2, \d+ s left/);
  });
});

describe("a place for a run", () => {
  it("is numbered from the second of one second on, so that names sort as runs began", () => {
    const parent = emptyFolder();
    const noon = new Date("2026-01-31T12:00:00.000Z");
    const made = Array.from({ length: 12 }, () => newRunDirectory(parent, noon));
    made.push(newRunDirectory(parent, new Date(noon.getTime() + 1_000)));
    expect(new Set(made).size).toBe(13);
    expect(made.toSorted()).toEqual(made);
    expect(made[1]).toBe(join(parent, "2026-01-31T12-00-00-02"));
  });

  it("is removed if the run is refused before it measures anything", async () => {
    const cwd = emptyFolder();
    const { status, stderr } = await run(["bench", "hello", "--link", "relay,loss=1", "--quiet"], { cwd });
    expect(stderr).toContain("the relay link cannot be used");
    expect({ status, left: readdirSync(cwd) }).toEqual({ status: 69, left: [] });
  });
});

it.each([
  {
    typed: ["--budget", "2ms"],
    message:
      "the budget of 0.002 s is too small for one round: give at least --budget Ns, or fewer rounds, calls, studies or stacks",
  },
  {
    typed: ["--budget", "2s", "--rounds", "30", "--calls", "200"],
    message:
      "the budget of 2 s is too small for 30 rounds with these --calls: give at least --budget Ns, or fewer rounds, calls, studies or stacks",
  },
])("a budget that is too small for what else is typed is refused, with one that would do: $typed", async (row) => {
  const words = ["bench", "hello", "--stack", "rest-express", "--quiet", "--out", "run", ...row.typed];
  expect(refusal(await run(words)).replace(/--budget \d+s/, "--budget Ns")).toBe(row.message);
});
