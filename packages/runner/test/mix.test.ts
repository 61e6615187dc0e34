// A mix: each task makes one of the plan's calls, by its turn.
import { create, type Message } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { expect, it } from "vitest";
import { prepareExecution, type Execution } from "../src/measure/execute-plan.ts";
import { Recorder } from "../src/measure/recorder.ts";
import { WireMeter } from "../src/measure/client-connections.ts";
import type { Plan } from "../src/study/study.ts";

const contract = builtInContract();
const meter = new WireMeter();

const steps = ["Ada", "Bob", "Cleo"].map((name) => ({
  operation: "roundtrip.v1.HelloService.SayHello",
  request: { name },
  into: { member: name },
}));

/** An execution of a plan on a client that notes which names it greets. */
function prepared(plan: Plan) {
  const greeted: string[] = [];
  const client: Client = {
    contract,
    prepare: (operation) => (request: Message) => {
      const { name } = request as Message & { readonly name: string };
      greeted.push(name);
      return Promise.resolve(create(operation.output, { message: `Hello, ${name}!` }));
    },
    prepareStream: () => () => {
      throw new Error("no stream");
    },
    prepareTogether: () => () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const recorder = new Recorder(64);
  recorder.begin(meter.bytesWritten, meter.bytesRead);
  const callLog = { recorder, meter, outcomes: ["OK"] };
  const execution: Execution = prepareExecution({ contract, client, plan, callers: 1, callLog });
  return { execution, recorder, greeted };
}

const mix: Plan = { order: "sequential", driver: "own", steps, turns: [2, 0, 0, 1] };

it("makes one call in each task, and begins again after the last turn", async () => {
  const { execution, recorder, greeted } = prepared(mix);
  await execution.run(6);
  expect(greeted).toEqual(["Cleo", "Ada", "Ada", "Bob", "Cleo", "Ada"]);
  const { task, step } = recorder.rows();
  expect([...task]).toEqual([0, 1, 2, 3, 4, 5]);
  expect([...step]).toEqual([2, 0, 0, 1, 2, 0]);
});

it("makes every call for the warm-up and for the answer, so that none is cold or unchecked", async () => {
  const { execution, greeted } = prepared(mix);
  await execution.warm(1);
  expect(greeted).toEqual(["Ada", "Bob", "Cleo"]);
  expect(await execution.answer()).toEqual({
    Ada: { message: "Hello, Ada!" },
    Bob: { message: "Hello, Bob!" },
    Cleo: { message: "Hello, Cleo!" },
  });
});
