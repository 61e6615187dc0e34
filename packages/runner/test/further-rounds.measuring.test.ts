// Rounds in the time that is left over.
import { expect, it } from "vitest";
import { measureRun, type Progress } from "../src/index.ts";
import { shortRun } from "./support/short-run.ts";

it("measures what it has time for once more, in place of cells that it has none for, and says how many rounds that are", async () => {
  const planned = await shortRun({ stackNames: ["floor"], rounds: 1, budgetMs: 20_000 });
  const studies = planned.studies.map((study) => ({
    ...study,
    tasks: study.tasks.flatMap((task) => [
      task,
      { ...task, name: "endless", priorities: { single: 2, double: 2 }, tasksPerRound: 1_000_000 },
    ]),
  }));
  const seen: Progress[] = [];
  const { roundsDone, leftOut } = await measureRun(
    { ...planned, studies },
    new AbortController().signal,
    (one) => void seen.push(one),
  );
  expect(roundsDone).toBe(2);
  expect(leftOut?.armIds).toEqual(["short/endless/floor/single", "short/endless/floor/double"]);
  expect(new Set(seen.map(({ round, rounds }) => `${round} of ${rounds}`))).toEqual(
    new Set(["0 of 1", "0 of 2", "1 of 2"]),
  );
  expect(Math.max(...seen.map(({ done }) => done))).toBeLessThanOrEqual(1);
});
