// Processes that are measured as they start, beside warm ones of the same stack.
import { expect, it } from "vitest";
import { shortRun, shortStudies, single, measureWhole } from "./support/short-run.ts";

it("a task without a warm-up has the first call in its block, and its answers are compared afterwards", async () => {
  const studies = shortStudies({ variants: { single }, warmUp: [false, true] });
  const options = await shortRun({ studies, rounds: 1, stackNames: ["rest-express"] });
  const run = await measureWhole(options);
  expect(run).toMatchObject({ status: "complete", verification: { responsesCompared: 2, agreed: true } });
  const [cold, warm] = [false, true].map((warmUp) => `short/hello/rest-express/single/warmUp=${warmUp}`);
  expect(run.firstCalls.map(({ armId }) => armId)).toEqual([warm]);
  expect(run.warmUps).toHaveLength(1);
  const opened = (id: string | undefined): readonly number[] =>
    run.blocks.flatMap(({ armId, connectionsOpened }) => (armId === id ? [connectionsOpened] : []));
  expect([opened(cold), opened(warm)]).toEqual([
    [1, 0],
    [0, 0],
  ]);
});

it("no number is given for a cold server that does not answer as expected", async () => {
  const studies = shortStudies({ variants: { single }, warmUp: [false], expected: { message: "Goodbye" } });
  const options = await shortRun({ studies, rounds: 1, stackNames: ["rest-express"] });
  await expect(measureWhole(options)).rejects.toMatchObject({ code: "answers-differ" });
});
