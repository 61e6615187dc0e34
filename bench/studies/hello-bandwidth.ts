// Bandwidth: hello world and a customer over lines of 1, 10 and 100 Mbit/s, which the study of 2020, on one machine, did not have. On the slowest line a
// hundred bytes take 0.8 ms, which is most of what a small call takes without one.
import { linkDefaults, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, facadeRead, firstFields, firstValues, greeting } from "../shared-tasks.ts";

const links = [1, 10, 100].map((bandwidthMbps) => ({ ...linkDefaults, rttMs: 1, bandwidthMbps }));
const count = customerAttributes.length;
const calls = 40;

function overLines(task: Pick<Task, "name" | "variants" | "answerKeys" | "expected">): Task {
  return { ...taskDefaults, ...task, links, onFloor: false, tasksPerRound: calls, tasksPerBlock: calls };
}

export const study: Study = {
  name: "hello-bandwidth",
  title: "Bandwidth",
  question: "On which line do the bytes of a style decide?",
  rounds: 6,
  budgetMs: 60_000,
  takesFirstCalls: false,
  tasks: [
    overLines({ ...greeting, name: "hello" }),
    overLines({
      name: "read",
      variants: { facade: facadeRead(1, count) },
      answerKeys: firstFields(count),
      expected: firstValues(count),
    }),
  ],
};
