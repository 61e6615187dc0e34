// Loads through the whole runner: which arms they make, which are refused, and what a real run leaves of them.
import { loadStack } from "@roundtrip/stacks";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunFacts, Samples } from "@roundtrip/runs";
import { armsOf } from "../src/study/planned-arm.ts";
import { closedLoop, poisson, type Load, type Study, type Task, sequentialPlan, taskDefaults } from "../src/index.ts";
import { paceOf } from "../src/pace/load.ts";
import { shortRun, measureAndRead, refusal } from "./support/short-run.ts";

const sayHello = { operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } };
const byPoisson: Load = { pacer: poisson({ rateHz: 200 }) };
const thinking: Load = { pacer: closedLoop({ thinkMs: 2, thinkTime: "exponential" }) };

function task(load: Load, changes: Partial<Task> = {}): Task {
  return {
    ...taskDefaults,
    name: "hello",
    load,
    variants: { single: sequentialPlan(sayHello) },
    callers: 4,
    tasksPerRound: 40,
    tasksPerBlock: 20,
    ...changes,
  };
}

function study(...tasks: readonly Task[]): Study {
  return { name: "loads", title: "Loads", question: "Does it keep its pace?", rounds: 1, tasks };
}

const stacks = await Promise.all(["rest-express", "floor"].map((name) => loadStack(name)));

const refusedArms = (wish: Task): string => refusal(() => armsOf([study(wish)], stacks));

describe("arms with a load", () => {
  it("differ by the factors of their pacer, and by callers in a closed loop", () => {
    const [rest] = armsOf([study(task(byPoisson), task(thinking))], stacks.slice(0, 1));
    expect(rest?.id).toBe("loads/hello/rest-express/single/arrivals=poisson/rateHz=200");
    const ofBoth = armsOf([study(task(byPoisson), task(thinking, { callers: 3 }))], stacks.slice(0, 1));
    expect(ofBoth.map(({ factors }) => factors)).toEqual([
      { arrivals: "poisson", rateHz: 200 },
      { callers: 3, thinkMs: 2, thinkTime: "exponential" },
    ]);
    expect(ofBoth.map(({ load }) => load)).toEqual([
      { loop: "open", pacer: "poisson", mostInFlight: 10_000 },
      { loop: "closed", pacer: "exponential-think" },
    ]);
  });

  it("are refused by name where the load cannot be had", () => {
    expect(refusedArms(task(byPoisson, { tasksPerBlock: 2_000_000 }))).toBe(
      "bad-plan: study loads, task hello: a block must have at most 1000000 tasks, got 2000000: use smaller blocks",
    );
  });
});

const at = { seed: 1, round: 0, turn: 0 };

it("a block's schedule is the same for every stack, and another in another turn or round, or from another seed", () => {
  const one = paceOf(byPoisson, 20, at);
  expect(paceOf(byPoisson, 20, at)).toEqual(one);
  for (const other of [{ turn: 1 }, { round: 1 }, { seed: 2 }]) {
    expect(paceOf(byPoisson, 20, { ...at, ...other })).not.toEqual(one);
  }
});

describe("a run of hello at 200 a second and of three callers who think", () => {
  let facts: RunFacts;
  let samples: Samples;
  beforeAll(async () => {
    const studies = [study(task(byPoisson), task(thinking, { callers: 3 }))];
    const options = await shortRun({ studies, rounds: 1 });
    ({ facts, samples } = await measureAndRead(options));
  });

  const rowsOf = (part: string) =>
    Array.from({ length: samples.length }, (_, row) => row).filter((row) =>
      facts.arms[samples.arm[row] ?? 0]?.id.includes(part),
    );
  /** When each task of a block was to begin, in microseconds after its first. */
  const schedulesOf = (part: string): readonly string[] =>
    [...Map.groupBy(rowsOf(part), (row) => samples.block[row]).values()]
      .map((rows) => {
        const starts = rows
          .toSorted((one, other) => (samples.task[one] ?? 0) - (samples.task[other] ?? 0))
          .map((row) => samples.intendedAtNs[row] ?? Number.NaN);
        // The clock of a process is read in steps of its own.
        return starts
          .slice(0, 10)
          .map((atNs) => Math.round((atNs - (starts[0] ?? 0)) / 10_000))
          .join(" ");
      })
      .toSorted();

  it("gives every stack the same arrivals", () => {
    expect(schedulesOf("rest-express/single/arrivals")).toHaveLength(2);
    expect(schedulesOf("floor/single/arrivals")).toEqual(schedulesOf("rest-express/single/arrivals"));
  });

  it("begins no call before it was intended, and keeps both moments", () => {
    for (let row = 0; row < samples.length; row += 1) {
      expect(samples.startedAtNs[row]).toBeGreaterThanOrEqual(samples.intendedAtNs[row] ?? Number.POSITIVE_INFINITY);
    }
    expect(rowsOf("arrivals").some((row) => samples.startedAtNs[row] !== samples.intendedAtNs[row])).toBe(true);
  });
});
