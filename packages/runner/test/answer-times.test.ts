// Requests that tasks use in rotation, and answers with the server's times: what is asked, what is kept, and what is refused.
import { create, type Message } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { CallError, type Client } from "@roundtrip/contract";
import { PowerResponseSchema, type PowerRequest } from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import { loadStack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { armsOf } from "../src/study/planned-arm.ts";
import { constantRate, type Plan, type Step, type Study, taskDefaults } from "../src/index.ts";
import { clientWith, prepared } from "./support/executions.ts";
import { shortRun, measureAndRead } from "./support/short-run.ts";

const power = (exponent: number) => ({ matrix: { size: 1, elements: [1] }, exponent });
const step: Step = {
  operation: "roundtrip.v1.MatrixService.Power",
  request: power(1),
  inTurn: [power(10), power(20), power(30)],
  reportedTimes: { queue: "queue_time", service: "service_time" },
};

function planOf(changed: Partial<Step>, order: Plan["order"] = "sequential"): Plan {
  return { order, driver: "own", steps: [{ ...step, ...changed }] };
}

/** A client whose answers have the exponent as microseconds of waiting and as seconds of service; that of 20 fails. */
function tellingClient(asked: number[]): Client {
  const answer = (request: Message): Promise<Message> => {
    const { exponent } = request as PowerRequest;
    asked.push(exponent);
    if (exponent === 20) return Promise.reject(new CallError("RESOURCE_EXHAUSTED", "full"));
    const queueTime = create(DurationSchema, { nanos: exponent * 1_000 });
    const serviceTime = create(DurationSchema, { seconds: BigInt(exponent) });
    return Promise.resolve(create(PowerResponseSchema, { queueTime, serviceTime }));
  };
  return clientWith({ prepare: () => answer });
}

it("tasks that ask in turn ask the same of every stack: a block's task n the nth request, round and round; answers are compared by the first", async () => {
  const asked: number[] = [];
  const { execution } = prepared(tellingClient(asked), planOf({}));
  await execution.answer();
  await execution.run(4);
  await execution.run(2);
  expect(asked).toEqual([1, 10, 20, 30, 10, 10, 20]);
});

it("times in answers have both kept with their call; a call that fails has none, nor has the next block's", async () => {
  const { execution, recorder } = prepared(tellingClient([]), planOf({}));
  await execution.run(3);
  const { queueMs, serviceMs } = recorder.rows();
  expect([...queueMs]).toEqual([0.01, Number.NaN, 0.03]);
  expect([...serviceMs]).toEqual([10_000, Number.NaN, 30_000]);
  recorder.begin(0, 0);
  recorder.record(0, 0, 0, 1);
  expect(recorder.rows().queueMs[0]).toBeNaN();
});

describe("an open loop", () => {
  const task = {
    ...taskDefaults,
    name: "power",
    variants: { single: planOf({}) },
    answerKeys: ["power"],
    load: { pacer: constantRate({ rateHz: 200 }) },
    callers: 12,
    tasksPerRound: 6,
    tasksPerBlock: 6,
  } as const;
  const study: Study = { name: "load", title: "Load", question: "Are they reported?", rounds: 1, tasks: [task] };

  it("may have a connection for each caller over HTTP/1.1, and one over HTTP/2, which none of its calls opens", async () => {
    const stacks = await Promise.all(["grpc-js", "rest-express"].map(loadStack));
    expect(armsOf([study], stacks).map(({ connections }) => connections)).toEqual([1, 12]);
  });

  it("records the times of its answers in a run, on every stack", async () => {
    const options = await shortRun({
      stackNames: ["grpc-js", "rest-express", "graphql-apollo"],
      studies: [study],
      rounds: 1,
    });
    const { facts, samples } = await measureAndRead(options);
    expect(facts).toMatchObject({ status: "complete", verification: { agreed: true } });
    expect(samples).toMatchObject({ length: 18, outcomes: ["OK"] });
    for (let row = 0; row < samples.length; row += 1) {
      const lastedNs = (samples.endedAtNs[row] ?? 0) - (samples.startedAtNs[row] ?? 0);
      const [queueNs = Number.NaN, serviceNs = Number.NaN] = [samples.queueNs?.[row], samples.serviceNs?.[row]];
      expect(queueNs).toBeGreaterThan(0);
      expect(queueNs + serviceNs).toBeLessThan(lastedNs);
    }
  });
});
