// Requests that tasks use in rotation, and answers with the server's times: what is asked, what is kept, and what is refused.
import { create, type Message } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { CallError, builtInContract, type Client } from "@roundtrip/contract";
import { PowerResponseSchema, type PowerRequest } from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import { loadStack } from "@roundtrip/stacks";
import { describe, expect, it } from "vitest";
import { armsOf } from "../src/study/planned-arm.ts";
import {
  constantRate,
  measureRun,
  type Plan,
  type RunnerError,
  type Step,
  type Study,
  taskDefaults,
} from "../src/index.ts";
import { readRun } from "@roundtrip/runs/read";
import type { CallLog } from "../src/measure/call-timer.ts";
import { prepareExecution } from "../src/measure/execute-plan.ts";
import { Recorder } from "../src/measure/recorder.ts";
import { WireMeter } from "../src/measure/client-connections.ts";
import { shortRun } from "./support/short-run.ts";

const contract = builtInContract();
const meter = new WireMeter();
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

function callLog(): CallLog {
  const recorder = new Recorder(8);
  recorder.begin(0, 0);
  return { recorder, meter, outcomes: ["OK"] };
}

function none(): never {
  throw new Error("not asked for");
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
  return {
    contract,
    prepare: () => answer,
    prepareStream: none,
    prepareTogether: none,
    close: () => Promise.resolve(),
  };
}

describe("tasks that ask in turn", () => {
  it("ask the same of every stack: a block's task n the nth request, round and round; answers are compared by the first", async () => {
    const asked: number[] = [];
    const execution = prepareExecution({
      contract,
      client: tellingClient(asked),
      plan: planOf({}),
      callers: 1,
      callLog: callLog(),
    });
    await execution.answer();
    await execution.run(4);
    await execution.run(2);
    expect(asked).toEqual([1, 10, 20, 30, 10, 10, 20]);
  });
});

describe("times in answers", () => {
  it("have both kept with their call; a call that fails has none, nor has the next block's", async () => {
    const notes = callLog();
    const execution = prepareExecution({
      contract,
      client: tellingClient([]),
      plan: planOf({}),
      callers: 1,
      callLog: notes,
    });
    await execution.run(3);
    const { queueMs, serviceMs } = notes.recorder.rows();
    expect([...queueMs]).toEqual([0.01, Number.NaN, 0.03]);
    expect([...serviceMs]).toEqual([10_000, Number.NaN, 30_000]);
    notes.recorder.begin(0, 0);
    notes.recorder.record(0, 0, 0, 1);
    expect(notes.recorder.rows().queueMs[0]).toBeNaN();
  });
});

function refusal(plan: Plan): string {
  try {
    prepareExecution({ contract, client: tellingClient([]), plan, callers: 1, callLog: callLog() });
    return "not refused";
  } catch (thrown) {
    const { code, message } = thrown as RunnerError;
    return `${code}: ${message}`;
  }
}

function tellingOf(queue: string): Plan {
  return planOf({ reportedTimes: { queue, service: "service_time" } });
}

describe("a plan is refused", () => {
  it("whose times are no durations of the answer", () => {
    expect(refusal(tellingOf("power"))).toMatch(/bad-plan: .*no field power of type google.protobuf.Duration/);
    expect(refusal(tellingOf("waiting"))).toMatch(/no field waiting/);
  });

  it("that streams, or goes together with others", () => {
    const download = {
      operation: "roundtrip.v1.PayloadService.Download",
      request: { sizeBytes: 1, chunkBytes: 1 },
      needs: "serverStream",
    } as const;
    expect(refusal(planOf({ ...download, inTurn: [{}] }))).toMatch(/inTurn requires a unary operation/);
    expect(refusal(planOf({ ...download, inTurn: [] }))).toMatch(/reportedTimes requires a unary operation/);
    expect(refusal(planOf({}, "together"))).toMatch(/require single calls by Roundtrip's own clients/);
  });
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
    await measureRun(options, new AbortController().signal, () => undefined);
    const { facts, samples } = await readRun(options.directory);
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
