// Arms as the runner has them, of tasks that are small and of every kind: what k6 is to do in tests.
import {
  linkDefaults,
  poisson,
  type Load,
  type Plan,
  type Step,
  type Study,
  type Task,
  sequentialPlan,
} from "@roundtrip/runner";
import { armsOf, scheduleRound, type PlannedArm } from "@roundtrip/runner/parts";
import { loadStack } from "@roundtrip/stacks";
import { contractImage } from "../../src/plan/contract-image.ts";
import { k6ArmsOf } from "../../src/plan/k6-arms.ts";
import type { K6Plan } from "../../src/plan/k6-plan.ts";
import { patientTiming, planOf } from "../../src/plan/plan-of.ts";

const styles = ["grpc-js", "graphql-apollo", "rest-express"] as const;

/** The same with a style that is measured on request. */
export const scriptedStacks = [...styles, "json-rpc-2"] as const;

const usual = { factors: {}, settings: {}, links: [], answerKeys: [], expected: {}, setup: [], callers: 1 } as const;

function sequential(...steps: readonly Step[]): Plan {
  return sequentialPlan(...steps);
}

const greet: Step = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };
const fields = ["id", "name", "mail"] as const;
const service = "roundtrip.v1.CustomerService";
const readOne = (id: number, readMask: string): Step => ({
  operation: `${service}.GetCustomer`,
  request: { id, readMask },
});
const fine = fields.map((field) => readOne(1, field));
const elements = [0.5, 0.5, 0.25, 0.75];
const power = (exponent: number, of = { size: 2, elements }): Step["request"] => ({ matrix: of, exponent });

/** One call, one after the other. */
export const greeting: Task = {
  name: "greet",
  ...usual,
  variants: { single: sequential(greet) },
  tasksPerRound: 6,
  tasksPerBlock: 6,
};

/** Façade, chatty, chatty at once, and as one exchange where a style has that. */
export const reading: Task = {
  name: "read",
  ...usual,
  variants: {
    facade: sequential(readOne(1, fields.join(","))),
    chatty: sequential(...fine),
    "chatty-parallel": { order: "parallel", driver: "own", steps: fine },
    together: { order: "together", driver: "own", steps: fine },
  },
  tasksPerRound: 2,
  tasksPerBlock: 2,
};

export const atOnce = (calls: number): Task => ({
  ...reading,
  name: "wide",
  variants: {
    "chatty-parallel": { order: "parallel", driver: "own", steps: Array.from({ length: calls }, () => greet) },
  },
});

/** Sends another request each time. Answers contain the server's times. */
export const computing: Task = {
  name: "compute",
  ...usual,
  variants: {
    single: sequential({
      operation: "roundtrip.v1.MatrixService.Power",
      request: power(2),
      inTurn: [2, 3, 4].map((exponent) => power(exponent)),
      reportedTimes: { queue: "queue_time", service: "service_time" },
    }),
  },
  tasksPerRound: 5,
  tasksPerBlock: 5,
};

const awkwardMatrix = {
  size: 4,
  elements: Array.from({ length: 4 }, () => [1 / 3, 0.1 + 0.2, 1e21, 1.5e-7]).flat(),
};

/** Like {@link computing}, with numbers that are long, large and small. */
export const awkward: Task = {
  ...computing,
  variants: {
    single: sequential({
      operation: "roundtrip.v1.MatrixService.Power",
      request: power(2, awkwardMatrix),
      inTurn: [2, 3, 4].map((exponent) => power(exponent, awkwardMatrix)),
    }),
  },
};

/** What no customer has. */
export const missing: Task = {
  name: "miss",
  ...usual,
  variants: { single: sequential(readOne(999_999, "id")) },
  tasksPerRound: 2,
  tasksPerBlock: 2,
};

/** A task under this load, in one block. */
export function under(load: Load, task: Task, tasks: number, callers = 1): Task {
  return { ...task, load, callers, tasksPerRound: tasks, tasksPerBlock: tasks };
}

export const poissonAt = (rateHz: number): Load => ({ pacer: poisson({ rateHz }) });

export const farAway = { ...linkDefaults, rttMs: 10 };

export async function armsFor(
  tasks: readonly Task[],
  stacks: readonly string[] = styles,
): Promise<readonly PlannedArm[]> {
  const study: Study = { name: "small", title: "Small", question: "Does it work?", rounds: 1, tasks };
  const loaded = await Promise.all(stacks.map((name) => loadStack(name)));
  return armsOf([study], loaded);
}

export const image = contractImage({ kind: "built-in" });

/** One round of these arms, on servers of this machine. Cells are long enough for a machine that is busy with other tests. */
export async function planFor(arms: readonly PlannedArm[], seed = 1, leadMs = 50): Promise<K6Plan> {
  const prepared = await k6ArmsOf(arms, image.contract);
  const schedule = scheduleRound(arms, seed, 0);
  const timing = { ...patientTiming(20), leadMs, leadMsPerCall: () => 2, marginMs: 1_800 };
  return planOf({ prepared, schedule, seed, round: 0, firstBlock: 0, contractHash: image.hash, timing });
}
