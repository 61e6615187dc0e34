// A real but short run by k6: two variants of hello over two stacks, one caller and Poisson arrivals.
import { poisson, type MeasureOptions, type Study, type Task, taskDefaults, sequentialPlan } from "@roundtrip/runner";
import { loadStack } from "@roundtrip/stacks";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { k6Engine } from "../../src/engine/k6-engine.ts";
import { contractImage } from "../../src/plan/contract-image.ts";
import { k6Here } from "./script-runs.ts";

const sayHello = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };

const common = {
  ...taskDefaults,
  takesFirstCalls: false,
  onFloor: false,
} as const satisfies Partial<Task>;

const study: Study = {
  name: "short",
  title: "Short",
  question: "Does it run?",
  rounds: 1,
  tasks: [
    {
      ...common,
      name: "hello",
      variants: {
        single: sequentialPlan(sayHello),
        double: { order: "parallel", driver: "own", steps: [sayHello, sayHello] },
      },
      tasksPerRound: 20,
      tasksPerBlock: 10,
    },
    {
      ...common,
      name: "arrivals",
      variants: { single: sequentialPlan(sayHello) },
      load: { pacer: poisson({ rateHz: 200 }) },
      callers: 8,
      tasksPerRound: 40,
      tasksPerBlock: 40,
    },
  ],
};

interface ShortRun extends Partial<MeasureOptions> {
  readonly stackNames?: readonly string[];
}

export async function shortRun(instances: number, changes: ShortRun = {}): Promise<MeasureOptions> {
  const { stackNames = ["rest-express", "grpc-js"], ...rest } = changes;
  if (k6Here === undefined) throw new Error("there is no k6");
  const image = contractImage({ kind: "built-in" });
  return {
    studies: [study],
    stacks: await Promise.all(stackNames.map((name) => loadStack(name))),
    settings: {},
    links: {},
    link: "auto",
    targets: [],
    targetsAreDisposable: false,
    answerLimitMs: 10_000,
    contract: { kind: "built-in" },
    service: { module: import.meta.resolve("@roundtrip/service"), factory: "realService" },
    serviceDefaults: {},
    directory: join(await mkdtemp(join(tmpdir(), "roundtrip-test-")), "run"),
    seed: 1,
    rounds: 1,
    // What is measured here proves nothing by its numbers.
    warmUpMs: 1,
    budgetMs: 120_000,
    tls: false,
    command: "roundtrip bench short --engine k6",
    engine: k6Engine({ k6: k6Here, instances, image }),
    ...rest,
  };
}
