// Handlers for the streams of the conformance contract, and functions to read streams, for the cases about them.
import { create } from "@bufbuild/protobuf";
import { CallError, codeFromGrpc, type Handlers, type CallContext } from "@roundtrip/contract";
import {
  ConformanceService,
  ConverseResponseSchema,
  DownloadResponseSchema,
  UploadResponseSchema,
  type DownloadResponse,
} from "../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { type CaseRun, type CaseServerOptions, markHandled } from "../case/case-run.ts";
import { echoing, someHandlersOf } from "./handlers.ts";

/** Bytes that depend on their index in a stream. */
export function itemBytes(index: number, sizeBytes: number): Uint8Array {
  return new Uint8Array(sizeBytes).fill(index % 251);
}

/** Implements each operation as its comment in the contract describes. */
export const streamingHandlers: Handlers = someHandlersOf(ConformanceService, {
  async *download({ count, sizeBytes, codeAtEnd }, { metadata, answerMetadata }) {
    const tenant = metadata.get("x-tenant");
    if (tenant !== undefined) answerMetadata.set("x-tenant", tenant);
    for (let index = 0; index < count; index++) {
      yield create(DownloadResponseSchema, { index, data: itemBytes(index, sizeBytes) });
    }
    if (codeAtEnd !== 0) throw new CallError(codeFromGrpc(codeAtEnd), "at the end", { reason: "END" });
  },
  async upload(requests) {
    const answer = { count: 0, sizeBytes: 0n, inOrder: true };
    for await (const { index, data } of requests) {
      answer.inOrder &&= index === answer.count;
      answer.count += 1;
      answer.sizeBytes += BigInt(data.length);
    }
    return create(UploadResponseSchema, answer);
  },
  async *converse(requests) {
    for await (const { text } of requests) {
      if (text === "fail") throw new CallError("FAILED_PRECONDITION", "asked to", { reason: "ASKED" });
      yield create(ConverseResponseSchema, { text: `heard ${text}` });
    }
  },
});

/**
 * Serves echoes, and a download of items of this size as long as they are read. After `pauseAfter` items it waits until the call ends.
 * `aborted` resolves when the handler's signal has aborted or its stream has been closed.
 */
export async function endless(
  run: CaseRun,
  sizeBytes: number,
  pauseAfter = Number.POSITIVE_INFINITY,
  settings?: CaseServerOptions,
) {
  const aborted = Promise.withResolvers<void>();
  let sent = 0;
  async function* download(_request: unknown, { signal }: CallContext): AsyncGenerator<DownloadResponse> {
    signal.addEventListener("abort", () => aborted.resolve());
    try {
      for (;;) {
        if (sent >= pauseAfter) await new Promise(() => {});
        yield create(DownloadResponseSchema, { index: sent, data: new Uint8Array(sizeBytes) });
        sent += 1;
        // Yields to the event loop, like a handler that reads from a source.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      aborted.resolve();
    }
  }
  const handlers = new Map([...someHandlersOf(ConformanceService, { download }), ...echoing]);
  return { ...(await run.serveConformance(handlers, settings)), aborted: aborted.promise, sent: () => sent };
}

/** Resolves when a sender waits for its reader, or has sent `most`: on a busy machine, buffers fill slowly. */
export async function untilBlocked(sent: () => number, most: number): Promise<void> {
  let before = -1;
  for (let looks = 0; looks < 10 && sent() > before && sent() < most; looks += 1) {
    before = sent();
    // oxlint-disable-next-line no-await-in-loop
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function rejected(thrown: unknown): Promise<never> {
  throw thrown;
}

/** The items that came before the stream's end, and what it ended with. */
export async function untilError<T>(
  stream: AsyncIterable<T>,
): Promise<{ readonly items: readonly T[]; readonly error: Promise<never> }> {
  const items: T[] = [];
  try {
    for await (const item of stream) items.push(item);
  } catch (thrown) {
    return { items, error: markHandled(rejected(thrown)) };
  }
  throw new Error(`the stream ended without an error, after ${items.length} items`);
}
