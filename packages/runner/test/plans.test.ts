// Plans with sets of parallel calls inside a sequence, and mixes, of which each task makes one call.
import { sequentialPlan } from "../src/index.ts";
import { create, type Message } from "@bufbuild/protobuf";
import { type Client } from "@roundtrip/contract";
import { loadStack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { armsOf, factsOfArm } from "../src/study/planned-arm.ts";
import { type Plan, setsOfSteps, type Step, type Study, type Task } from "../src/study/study.ts";
import { clientWith, prepared } from "./support/executions.ts";

const operation = "roundtrip.v1.HelloService.SayHello";

/** Answers when all calls that were made at once have come, and reports their number. */
function greeter(atOnce: number[]): Client {
  let waiting: (() => void)[] = [];
  return clientWith({
    prepare:
      ({ output }) =>
      async (request) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setImmediate(() => {
            if (waiting.length === 0) return;
            atOnce.push(waiting.length);
            for (const answer of waiting) answer();
            waiting = [];
          });
        });
        const { name } = request as Message & { readonly name: string };
        return create(output, { message: `Hello, ${name}!` });
      },
  });
}

function greeting(name: string, more: Partial<Step> = {}): Step {
  return { operation, request: { name }, ...more };
}

const steps = [
  greeting("first"),
  greeting("a", { set: 1, into: { member: "greetings", index: 0 } }),
  greeting("b", { set: 1, into: { member: "greetings", index: 1 } }),
  greeting("c", { set: 2, into: { member: "last" } }),
];

/** A study of one task with these variants. */
function studyOf(variants: Task["variants"], often: Pick<Task, "callers" | "tasksPerRound" | "tasksPerBlock">): Study {
  const nothing = { factors: {}, settings: {}, links: [], answerKeys: [], expected: {}, setup: [] };
  return {
    name: "greet",
    title: "",
    question: "",
    rounds: 1,
    tasks: [{ name: "greet", ...nothing, variants, ...often }],
  };
}

describe("steps of a plan", () => {
  it("are called in sets where they say so, in one where the order is parallel, and otherwise one by one", () => {
    expect(setsOfSteps("sequential", steps)).toEqual([[0], [1, 2], [3]]);
    expect(setsOfSteps("parallel", steps)).toEqual([[0, 1, 2, 3]]);
    expect(setsOfSteps("sequential", [{}, {}])).toEqual([[0], [1]]);
  });

  it("wait for the set before theirs, timed and untimed, and each is a call of its own in the records", async () => {
    const atOnce: number[] = [];
    const { execution, recorder } = prepared(greeter(atOnce), sequentialPlan(...steps));
    await execution.run(2);
    expect(atOnce).toEqual([1, 2, 1, 1, 2, 1]);
    expect([...recorder.rows().step]).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    expect(await execution.answer()).toEqual({
      message: "Hello, first!",
      greetings: [{ message: "Hello, a!" }, { message: "Hello, b!" }],
      last: { message: "Hello, c!" },
    });
  });
});

it("an arm records how many of its calls wait for each other, if the name of its variant does not say so", async () => {
  const variants = {
    "list-then-each": sequentialPlan(...steps),
    "chatty-parallel": { order: "parallel", driver: "own", steps },
    chatty: {
      order: "sequential",
      driver: "own",
      steps: steps.map(({ operation: id, request }) => ({ operation: id, request })),
    },
  } as const;
  const study = studyOf(variants, { callers: 1, tasksPerRound: 1, tasksPerBlock: 1 });
  const arms = armsOf([study], [await loadStack("rest-express")]).map(factsOfArm);
  expect(
    arms.map(({ variant, callsPerTask, callsInSequence, connections }) => ({
      variant,
      callsPerTask,
      callsInSequence,
      connections,
    })),
  ).toEqual([
    { variant: "list-then-each", callsPerTask: 4, callsInSequence: 3, connections: 2 },
    { variant: "chatty-parallel", callsPerTask: 4, callsInSequence: undefined, connections: 4 },
    { variant: "chatty", callsPerTask: 4, callsInSequence: undefined, connections: 1 },
  ]);
});

it("calls at once have a connection each, up to the six of a browser for each caller, where a connection carries one at a time", async () => {
  const stacks = await Promise.all(["rest-express", "grpc-js", "floor"].map(loadStack));
  const variants = {
    all: { order: "parallel", driver: "own", steps: Array.from({ length: 8 }, () => greeting("a")) },
  } as const;
  const study = studyOf(variants, { callers: 2, tasksPerRound: 5, tasksPerBlock: 3 });
  const arms = armsOf([study], stacks);
  expect(
    arms.map(({ stack, connections, tasksPerRound, tasksPerBlock, callsPerTask }) => [
      stack,
      connections,
      tasksPerRound,
      tasksPerBlock,
      callsPerTask,
    ]),
  ).toEqual([
    ["rest-express", 12, 5, 3, 8],
    ["grpc-js", 2, 5, 3, 8],
    // Half as often: it varies less than any other.
    ["floor", 2, 3, 2, 8],
  ]);
});

const named = ["Ada", "Bob", "Cleo"].map((name) => greeting(name, { into: { member: name } }));

function namingClient(greeted: string[]): Client {
  return clientWith({
    prepare: (called) => (request: Message) => {
      const { name } = request as Message & { readonly name: string };
      greeted.push(name);
      return Promise.resolve(create(called.output, { message: `Hello, ${name}!` }));
    },
  });
}

const mix: Plan = { order: "sequential", driver: "own", steps: named, turns: [2, 0, 0, 1] };

it("makes one call in each task, and begins again after the last turn", async () => {
  const greeted: string[] = [];
  const { execution, recorder } = prepared(namingClient(greeted), mix);
  await execution.run(6);
  expect(greeted).toEqual(["Cleo", "Ada", "Ada", "Bob", "Cleo", "Ada"]);
  const { task, step } = recorder.rows();
  expect([...task]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...step]).toEqual([2, 0, 0, 1, 2, 0]);
});

it("makes every call for the warm-up and for the answer, so that none is cold or unchecked", async () => {
  const greeted: string[] = [];
  const { execution } = prepared(namingClient(greeted), mix);
  await execution.warm(1);
  expect(greeted).toEqual(["Ada", "Bob", "Cleo"]);
  expect(await execution.answer()).toEqual({
    Ada: { message: "Hello, Ada!" },
    Bob: { message: "Hello, Bob!" },
    Cleo: { message: "Hello, Cleo!" },
  });
});
