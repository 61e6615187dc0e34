// What is left of a run that somebody interrupts, over real processes.
import { readFileSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { needing } from "../../../.ci/needs/needing.ts";
import { measureRun } from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import { shortRun } from "./support/short-run.ts";

const silent = (): void => undefined;
const onLinux = await needing("linux");

function childrenHere(): readonly string[] {
  const pids = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
  return pids.split(" ").filter((pid) => pid !== "");
}

function isServer(pid: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("server-process");
}

it("keeps the measured blocks when interrupted, and counts complete rounds only", async () => {
  const longer = await shortRun({ stackNames: ["rest-express"], rounds: 50, budgetMs: 600_000 });
  const controller = new AbortController();
  let blocksOfSecond = 0;
  const kept = await measureRun(longer, controller.signal, ({ round }) => {
    if (round === 1) blocksOfSecond += 1;
    // Called when the round begins and before each block: three are done by then.
    if (blocksOfSecond === 5) controller.abort();
  });
  expect(kept).toMatchObject({ status: "interrupted", roundsPlanned: 50, roundsDone: 1 });
  expect(kept.blocks.filter(({ round }) => round === 1)).toHaveLength(3);
  expect((await readRun(longer.directory)).samples.length).toBe(kept.blocks.reduce((sum, { calls }) => sum + calls, 0));
});

it("stops at once while nothing is timed yet, and is readable", async () => {
  const early = await shortRun({ stackNames: ["floor"] });
  const controller = new AbortController();
  const kept = await measureRun(early, controller.signal, ({ done }) => {
    if (done === 0) controller.abort();
  });
  expect(kept).toMatchObject({ status: "interrupted", roundsDone: 0, blocks: [], warmUps: [] });
  expect((await readRun(early.directory)).samples.length).toBe(0);
});

it(
  "is interrupted, not broken, where a process dies of the same signal a moment before the program notices it",
  onLinux,
  async () => {
    const planned = await shortRun({ stackNames: ["floor"] });
    const controller = new AbortController();
    const watch = setInterval(() => {
      const server = childrenHere().find(isServer);
      if (server === undefined) return;
      clearInterval(watch);
      process.kill(Number(server), "SIGKILL");
      setTimeout(() => controller.abort(), 100);
    }, 10);
    onTestFinished(() => clearInterval(watch));
    expect(await measureRun(planned, controller.signal, silent)).toMatchObject({ status: "interrupted" });
  },
);
