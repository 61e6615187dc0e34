// One round of the cost of the harness, in a fresh process: blocks of recorded calls and of the same calls bare, in turns. Prints JSON.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { Readable } from "node:stream";
import { connect, createServer, type AddressInfo } from "node:net";
import { prepareExecution, Recorder, WireMeter } from "@roundtrip/runner/parts";
import { median } from "../measure.ts";

interface InstantExecution {
  /** A block of calls, timed and recorded. */
  recorded(calls: number): Promise<void>;
  /** The same calls, only awaited. */
  bare(calls: number): Promise<void>;
  close(): void;
}

const steps = [{ operation: "roundtrip.v1.HelloService.SayHello", request: { name: "World" } }];

/** The harness around a client that answers at once, with one open TCP connection as in every arm. @param capacity calls of the largest block. */
async function instantExecution(capacity: number): Promise<InstantExecution> {
  const meter = new WireMeter();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  await once(socket, "connect");

  const answer = Promise.resolve(create(SayHelloResponseSchema, { message: "Hello, World!" }));
  const invoke = () => answer;
  const contract = builtInContract();
  const client: Client = {
    contract,
    prepare: () => invoke,
    prepareStream: () => () => Readable.from([]),
    prepareTogether: () => () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const recorder = new Recorder(capacity);
  const callLog = { recorder, meter, outcomes: ["OK"] };
  const plan = { order: "sequential", driver: "own", steps } as const;
  const execution = prepareExecution({ contract, client, plan, callers: 1, callLog });
  return {
    recorded(calls) {
      recorder.begin(meter.bytesWritten, meter.bytesRead);
      return execution.run(calls);
    },
    async bare(calls) {
      for (let call = 0; call < calls; call += 1) await invoke();
    },
    close() {
      socket.destroy();
      server.close();
    },
  };
}

export interface OverheadAnswer {
  /** The time that the harness adds to a call. */
  readonly addedUsPerCall: number;
}

const callsPerBlock = 20_000;
const warmUpBlocks = 5;
const blocks = 25;

const execution = await instantExecution(callsPerBlock);

async function usPerCall(run: (calls: number) => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run(callsPerBlock);
  return ((performance.now() - startedAt) * 1000) / callsPerBlock;
}

const added: number[] = [];
for (let block = 0; block < warmUpBlocks + blocks; block += 1) {
  const recorded = await usPerCall((calls) => execution.recorded(calls));
  const bare = await usPerCall((calls) => execution.bare(calls));
  if (block >= warmUpBlocks) added.push(recorded - bare);
}
execution.close();
process.stdout.write(JSON.stringify({ addedUsPerCall: median(added) } satisfies OverheadAnswer));
