// Options for a real but short run.
import { taskDefaults, sequentialPlan } from "../../src/index.ts";
import { loadStack } from "@roundtrip/stacks";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunFacts } from "@roundtrip/runs";
import { readRun } from "@roundtrip/runs/read";
import type { RunnerError } from "../../src/basics/runner-error.ts";
import { measureRun, type MeasureOptions } from "../../src/measure-run.ts";
import type { Study, Task } from "../../src/study/study.ts";

const sayHello = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };

export const single = sequentialPlan(sayHello);

const shortTask: Task = {
  ...taskDefaults,
  name: "hello",
  variants: { single, double: { order: "parallel", driver: "own", steps: [sayHello, sayHello] } },
  tasksPerRound: 20,
  tasksPerBlock: 10,
};

/** A study of short tasks with these changes. */
export function shortStudies(...changes: readonly Partial<Task>[]): readonly [Study] {
  const tasks = changes.map((changed) => ({ ...shortTask, ...changed }));
  return [{ name: "short", title: "Short", question: "Does it run?", rounds: 2, tasks }];
}

const real = { module: import.meta.resolve("@roundtrip/service"), factory: "realService" };

/** A service of `services.ts`. */
export function serviceHere(factory: string): MeasureOptions["service"] {
  return { module: new URL("./services.ts", import.meta.url).href, factory };
}

/** Measures until the end. */
export function measureWhole(options: MeasureOptions): Promise<RunFacts> {
  return measureRun(options, new AbortController().signal, () => undefined);
}

/** Measures until the end, and reads what was kept. */
export async function measureAndRead(options: MeasureOptions): ReturnType<typeof readRun> {
  await measureWhole(options);
  return readRun(options.directory);
}

/** The code and the message of what this throws. */
export function refusal(make: () => unknown): string {
  try {
    make();
    return "not refused";
  } catch (thrown) {
    const { code, message } = thrown as { readonly code: string; readonly message: string };
    return `${code}: ${message}`;
  }
}

export async function failure(run: Promise<unknown>): Promise<RunnerError> {
  return run.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error as RunnerError,
  );
}

export async function shortRun(changes: Partial<MeasureOptions> & { stackNames?: string[] }): Promise<MeasureOptions> {
  const { stackNames = ["rest-express", "floor"], ...rest } = changes;
  return {
    studies: shortStudies({}),
    stacks: await Promise.all(stackNames.map((name) => loadStack(name))),
    settings: {},
    links: {},
    targets: [],
    targetsAreDisposable: false,
    answerLimitMs: 10_000,
    contract: { kind: "built-in" },
    service: real,
    serviceDefaults: { matrix: { threads: 1 } },
    directory: join(await mkdtemp(join(tmpdir(), "roundtrip-test-")), "run"),
    seed: 1,
    rounds: 2,
    link: "auto",
    // What is measured here proves nothing by its numbers.
    warmUpMs: 1,
    budgetMs: 60_000,
    tls: false,
    command: "roundtrip bench short",
    ...rest,
  };
}
