// Every run has a directory of its own, and directories sort in the order in which runs began.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newRunDirectory } from "../src/bench/new-run-directory.ts";
import { emptyFolder, run } from "./support/run-program.ts";

const noon = new Date("2026-01-31T12:00:00.000Z");

it("is numbered from the second of one second on, so that names sort as they were made", () => {
  const parent = emptyFolder();
  const made = [0, 0, 0, 999, 1_000].map((ms) => newRunDirectory(parent, new Date(noon.getTime() + ms)));
  for (let more = 0; more < 8; more += 1) made.splice(-1, 0, newRunDirectory(parent, noon));
  expect(new Set(made).size).toBe(13);
  expect(made.toSorted()).toEqual(made);
  expect(made[1]).toBe(join(parent, "2026-01-31T12-00-00-02"));
});

it("is not shared by runs that begin at once", async () => {
  const cwd = emptyFolder();
  const short = ["bench", "hello", "--stack", "floor", "--rounds", "1", "--calls", "10", "--quiet"];
  const outcomes = await Promise.all([run(short, { cwd }), run(short, { cwd }), run(short, { cwd })]);
  expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0]);
  const directories = readdirSync(join(cwd, "runs"));
  expect(directories).toHaveLength(3);
  for (const directory of directories) expect(existsSync(join(cwd, "runs", directory, "report.html"))).toBe(true);
});

it("is removed if the run is refused before it measures anything", async () => {
  const cwd = emptyFolder();
  const { status, stderr } = await run(["bench", "hello", "--link", "relay,loss=1", "--quiet"], { cwd });
  expect({ status, stderr }).toEqual({
    status: 69,
    stderr: expect.stringContaining("the relay link cannot be used") as string,
  });
  expect(readdirSync(cwd)).toEqual([]);
});
