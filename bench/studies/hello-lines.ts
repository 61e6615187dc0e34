// Lines: hello world and a customer over narrow lines, of 1, 10 and 100 Mbit/s, and over a long one, none of which the study of 2020, on one machine,
// had. On the slowest line a hundred bytes take 0.8 ms, which is most of what a small call takes without one.
import { linkDefaults, type Study, type Task, taskDefaults, sequentialPlan } from "@roundtrip/runner";
import { customerAttributes, facadeRead, fineReads, firstFields, firstValues, greeting } from "../shared-tasks.ts";

const narrow = [1, 10, 100].map((bandwidthMbps) => ({ ...linkDefaults, rttMs: 1, bandwidthMbps }));
const long = [{ ...linkDefaults, rttMs: 50 }];
const count = customerAttributes.length;
const fine = fineReads(1, count);

type Call = Pick<Task, "name" | "variants" | "answerKeys" | "expected"> & Pick<Partial<Task>, "styles">;

function over(links: Task["links"], calls: number, task: Call): Task {
  return { ...taskDefaults, ...task, links, onFloor: false, tasksPerRound: calls, tasksPerBlock: calls };
}

function read(variants: Task["variants"]): Call {
  return { name: "read", variants, answerKeys: firstFields(count), expected: firstValues(count) };
}

const hello: Call = { ...greeting, name: "hello" };

export const study: Study = {
  name: "hello-lines",
  title: "Lines",
  question: "On which line do the bytes of a style decide, or its requests?",
  rounds: 6,
  budgetMs: 60_000,
  takesFirstCalls: false,
  tasks: [
    over(narrow, 40, hello),
    over(narrow, 40, read({ facade: facadeRead(1, count) })),
    over(long, 10, hello),
    over(long, 4, {
      ...read({ chatty: sequentialPlan(...fine), together: { order: "together", driver: "own", steps: fine } }),
      styles: ["rest", "graphql"],
    }),
  ],
};
