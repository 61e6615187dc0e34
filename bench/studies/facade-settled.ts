// Remote Façade by a procedure without the drift of the published order: the same reads in random order, of processes that the published bulks have warmed
// up further, with more calls at the ends of the curve. With security on too, which 2010 had off.
import { type Plan, sequentialPlan, type Study, type Task, taskDefaults } from "@roundtrip/runner";
import { customerAttributes, facadeRead, fineReads, firstFields, firstValues } from "../shared-tasks.ts";

const bulk = 100;
const most = customerAttributes.length;

type Variant = "facade" | "chatty";

/** Where claims compare: a mean of one bulk would depend on a few slow calls. */
const bulksAtEnds = { off: { facade: 8, chatty: 3 }, on: { facade: 4, chatty: 2 } } as const;

function read(attributes: number, security: keyof typeof bulksAtEnds): readonly Task[] {
  const isEnd = attributes === 1 || attributes === most;
  const of = (variant: Variant, plan: Plan): Task => ({
    ...taskDefaults,
    name: "read",
    factors: { attributes },
    tls: [security === "on"],
    onFloor: false,
    variants: { [variant]: plan },
    answerKeys: firstFields(attributes),
    expected: firstValues(attributes),
    tasksPerRound: isEnd ? bulksAtEnds[security][variant] * bulk : bulk,
    tasksPerBlock: bulk,
  });
  return [of("facade", facadeRead(1, attributes)), of("chatty", sequentialPlan(...fineReads(1, attributes)))];
}

export const study: Study = {
  name: "facade-settled",
  title: "Remote Façade, settled",
  question: "What is left of the findings of 2010 when no level is colder than another, with security off and on?",
  rounds: 6,
  budgetMs: 80_000,
  takesFirstCalls: false,
  tasks: [
    ...[1, 2, 3, 4, 5, 6].flatMap((attributes) => read(attributes, "off")),
    ...[1, most].flatMap((attributes) => read(attributes, "on")),
  ],
};
