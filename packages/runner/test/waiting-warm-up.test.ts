// How pairs are warmed up whose connections are idle between calls.
import { expect, test } from "vitest";
import { measureRun, type Study, type Task, taskDefaults } from "../src/index.ts";
import { shortRun } from "./support/short-run.ts";

function studyOf(needs: Required<Task>["needs"]): Study {
  const steps = [{ operation: "roundtrip.v1.PayloadService.Echo", request: { text: "payload" } }];
  return {
    name: "waiting",
    title: "Waiting",
    question: "What does a pause cost?",
    rounds: 1,
    takesFirstCalls: false,
    tasks: [
      {
        ...taskDefaults,
        name: "echo",
        needs,
        variants: { "after-pause": { order: "sequential", driver: "own", steps, idleMs: 1 } },
        tasksPerRound: 1,
        tasksPerBlock: 1,
      },
    ],
  };
}

async function stacksThatSettled(needs: Required<Task>["needs"]): Promise<readonly string[]> {
  const options = await shortRun({ stackNames: ["rest-express"], studies: [studyOf(needs)], rounds: 1 });
  const { warmUps, blocks } = await measureRun(options, new AbortController().signal, () => undefined);
  expect(blocks).toHaveLength(1);
  return warmUps.map(({ stack }) => stack);
}

test("small calls after a pause are made when their numbers have settled", async () => {
  expect(await stacksThatSettled([])).toEqual(["rest-express"]);
});

test("bulk data after a pause is not asked to settle: transfers at once share processors", async () => {
  expect(await stacksThatSettled(["bulk"])).toEqual([]);
});
