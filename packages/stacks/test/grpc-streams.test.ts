// Streams over gRPC: order, pace, ends and errors, over real sockets.
import { create } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  ConverseResponseSchema,
  DownloadResponseSchema,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { caught, grpcStack, pairOf } from "./support/pair.ts";
import { all, conformanceService, methods, streamed } from "./support/streams.ts";

const { converse, download, upload } = methods;

const items = conformanceService({
  async *download({ count, sizeBytes, codeAtEnd }) {
    for (let index = 0; index < count; index += 1) {
      yield create(DownloadResponseSchema, { index, data: new Uint8Array(sizeBytes).fill(index) });
    }
    if (codeAtEnd !== 0) throw new CallError("DATA_LOSS", "lost", { reason: "LOST", domain: "test" });
  },
  async upload(requests) {
    let count = 0;
    let sizeBytes = 0n;
    let inOrder = true;
    for await (const { index, data } of requests) {
      inOrder &&= index === count;
      count += 1;
      sizeBytes += BigInt(data.length);
    }
    return create(UploadResponseSchema, { count, sizeBytes, inOrder });
  },
  async *converse(requests) {
    for await (const { text } of requests) yield create(ConverseResponseSchema, { text: `${text}!` });
  },
});

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {});

/** Downloads one item, then waits until the test ends the call. */
function endless(): { readonly service: ReturnType<typeof conformanceService>; readonly reason: Promise<CallError> } {
  const { promise: reason, resolve } = Promise.withResolvers<CallError>();
  const service = conformanceService({
    async *download(_request, { signal }) {
      signal.addEventListener("abort", () => resolve(signal.reason as CallError));
      yield create(DownloadResponseSchema, {});
      await new Promise(() => undefined);
    },
  });
  return { service, reason };
}

test("a caller that stops while waiting for an answer cancels the handler too", async () => {
  const { service, reason } = endless();
  const { client } = await pairOf(grpcStack, service);
  const answers = streamed(client, download, [{}])[Symbol.asyncIterator]();
  await answers.next();
  const waiting = caught(answers.next());
  await answers.return?.();
  expect((await waiting).code).toBe("CANCELLED");
  expect((await reason).code).toBe("CANCELLED");
});

test("a handler that reads no further answers all the same, and the requests stop", async () => {
  const service = conformanceService({
    async upload(requests) {
      for await (const { index } of requests) return create(UploadResponseSchema, { count: index + 1 });
      throw new Error("unreachable");
    },
  });
  const { client } = await pairOf(grpcStack, service);
  const stopped = vi.fn<() => void>();
  async function* without(): AsyncGenerator<{ index: number }> {
    try {
      for (;;) {
        // oxlint-disable-next-line no-await-in-loop
        await turn();
        yield { index: 0 };
      }
    } finally {
      stopped();
    }
  }
  expect(await all(streamed(client, upload, without()))).toMatchObject([{ count: 1 }]);
  await vi.waitFor(() => expect(stopped).toHaveBeenCalledOnce(), 20_000);
});

// oxlint-disable-next-line require-yield
async function* failing(): AsyncGenerator<{ index: number }> {
  throw new CallError("ABORTED", "no more");
}

test("requests that cannot be made or written fail the call and cancel the handler", async () => {
  const { client } = await pairOf(grpcStack, items);
  expect((await caught(all(streamed(client, upload, failing())))).message).toBe("no more");
  expect((await caught(all(streamed(client, upload, [{ index: 1.5 }])))).code).toBe("INVALID_ARGUMENT");
  expect((await caught(all(streamed(client, download, [])))).code).toBe("INVALID_ARGUMENT");
});

test("closing a server lets streams finish, and cuts off those that outlast the grace time", async () => {
  const { server, client } = await pairOf(grpcStack, items);
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  async function* texts(): AsyncGenerator<{ text: string }> {
    yield { text: "before" };
    await gate;
    yield { text: "after" };
  }
  const answers = streamed(client, converse, texts())[Symbol.asyncIterator]();
  await answers.next();
  const closed = server.close();
  open();
  expect(await answers.next()).toMatchObject({ value: { text: "after!" } });
  expect(await answers.next()).toMatchObject({ done: true });
  await closed;

  const { service, reason } = endless();
  const cut = await pairOf(grpcStack, service, { serve: { shutdownGraceMs: 20 } });
  const call = streamed(cut.client, download, [{}])[Symbol.asyncIterator]();
  await call.next();
  const rest = caught(call.next());
  await cut.server.close();
  expect((await rest).code).toBe("UNAVAILABLE");
  expect((await reason).code).toBe("CANCELLED");
});
