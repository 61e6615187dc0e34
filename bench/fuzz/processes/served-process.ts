// A process that serves the conformance contract on one stack and echoes requests, and beside it a fake. It ends with its parent.
import { create } from "@bufbuild/protobuf";
import { handlersOf } from "@roundtrip/contract";
import { conformanceContract } from "@roundtrip/conformance";
import {
  ConformanceService,
  ConverseResponseSchema,
  DownloadResponseSchema,
  EchoResponseSchema,
  LookResponseSchema,
  PutTreeResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { createFake } from "@roundtrip/fakes";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { setTimeout as sleep } from "node:timers/promises";
import { libraryContract } from "../hostile/library-contract.ts";
import type { FromServed, Question, ServedSettings } from "../served.ts";

/** The fields that are not undefined. */
function setFields<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** The maximum size of a stream: enough items to be one. */
const [mostItems, mostBytes] = [8, 1_024];

const atWork = { now: 0, most: 0 };

/** Takes longer than many requests need to arrive. Resolves to the maximum number of concurrent handlers since the process began. */
async function takeTime(): Promise<string> {
  atWork.now += 1;
  atWork.most = Math.max(atWork.most, atWork.now);
  await sleep(20);
  atWork.now -= 1;
  return `${atWork.most} at once`;
}

const handlers = handlersOf(ConformanceService, {
  async echo({ values }) {
    if (values?.presence?.text?.startsWith("waits") === true) await new Promise(() => {});
    return create(EchoResponseSchema, setFields({ values }) as never);
  },
  look: async (request) =>
    create(LookResponseSchema, { request: request.text === "slowly" ? { text: await takeTime() } : request }),
  putTree: ({ tree }) => create(PutTreeResponseSchema, setFields({ tree }) as never),
  async *download({ count, sizeBytes }) {
    for (let index = 0; index < Math.min(count, mostItems); index += 1) {
      yield create(DownloadResponseSchema, { index, data: new Uint8Array(Math.min(sizeBytes, mostBytes)) });
    }
  },
  async upload(requests) {
    let count = 0;
    for await (const _ of requests) count += 1;
    return { $typeName: "roundtrip.conformance.v1.UploadResponse", count, sizeBytes: 0n, inOrder: true };
  },
  async *converse(requests) {
    for await (const { text } of requests) yield create(ConverseResponseSchema, { text });
  },
});

function send(message: FromServed): void {
  process.send?.(message);
}

/** Sockets and what they reference are freed shortly after they close. */
const settleMs = 300;

let longestTurnMs = 0;

/** A timer's call comes in the next turn of the event loop. */
function watchTurns(): void {
  const before = process.threadCpuUsage();
  setTimeout(() => {
    const { user, system } = process.threadCpuUsage(before);
    longestTurnMs = Math.max(longestTurnMs, (user + system) / 1_000);
    watchTurns();
  }, 1);
}

function peakBytes(): number {
  return process.resourceUsage().maxRSS * 1_024;
}

function reportStrain(): void {
  send({ kind: "strain", longestTurnMs, peakBytes: peakBytes() });
  longestTurnMs = 0;
}

async function reportMemory(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc?.();
    await sleep(settleMs);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  send({ kind: "memory", heapBytes: heapUsed + external, residentBytes: rss, peakBytes: peakBytes() });
}

process.on("disconnect", () => process.exit());
process.on("message", (question: Question) => {
  if (question === "memory") void reportMemory();
  else reportStrain();
});

const { stackName, limits, settings, hasLibrary } = JSON.parse(process.argv[2] ?? "") as ServedSettings;
const serve = await loadServe(stackName);
const options = { ...serveDefaults, ...limits, settings };
const { url } = await serve(serviceOf(conformanceContract(), handlers), options);
const library = hasLibrary
  ? await serve(createFake({ contract: await libraryContract() }).service, options)
  : undefined;
watchTurns();
send({ kind: "listening", url, libraryUrl: library?.url });
