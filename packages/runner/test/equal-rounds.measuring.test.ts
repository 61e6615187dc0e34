// Every round of a run measures the same, however much time there is.
import type { RunFacts } from "@roundtrip/runs";
import { expect, it } from "vitest";
import { measureRun, type Progress } from "../src/index.ts";
import { shortRun, measureWhole } from "./support/short-run.ts";

/** The calls of each arm in each round, as they come. */
function callsByRound({ blocks, roundsDone }: RunFacts): readonly Readonly<Record<string, number>>[] {
  return Array.from({ length: roundsDone }, (_, round) => {
    const calls: Record<string, number> = {};
    const ofRound = blocks.filter((block) => block.round === round);
    for (const block of ofRound) calls[block.armId] = (calls[block.armId] ?? 0) + block.calls;
    return calls;
  });
}

it.each([
  { what: "with time for all", changes: {}, single: 20 },
  { what: "with time for few", changes: { budgetMs: 1 }, single: 2 },
  {
    what: "where rounds and calls are typed",
    changes: { budgetMs: 1, typed: ["rounds", "calls"] as const },
    single: 20,
  },
])("every round, also the first, makes the same calls $what", async ({ changes, single }) => {
  const typed = new Set("typed" in changes ? changes.typed : []);
  const facts = await measureWhole(await shortRun({ rounds: 3, ...changes, typed }));
  const [first = {}, ...others] = callsByRound(facts);
  expect(first["short/hello/rest-express/single"]).toBe(single);
  expect(Object.keys(first)).toHaveLength(4);
  expect(others).toEqual([first, first]);
});

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
