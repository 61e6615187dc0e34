// Streams over gRPC: order, pace, ends and errors, over real sockets.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  ConverseResponseSchema,
  DownloadResponseSchema,
  UploadResponseSchema,
  type UploadRequestSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { caught } from "./support/caught.ts";
import { all, conformanceService, converse, download, streamed, upload } from "./support/conformance-service.ts";
import { pairOf } from "./support/pair.ts";
import { grpcStack } from "./support/stacks-under-test.ts";

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

function* uploads(count: number, sizeBytes: number): Generator<MessageInitShape<typeof UploadRequestSchema>> {
  for (let index = 0; index < count; index += 1) yield { index, data: new Uint8Array(sizeBytes) };
}

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {
  test("a stream of responses comes whole and in order", async () => {
    const { client } = await pairOf(grpcStack, items, { tls });
    const answers = await all(streamed(client, download, [{ count: 500, sizeBytes: 1000 }]));
    expect(answers.map(({ index }) => index)).toEqual(Array.from({ length: 500 }, (_, index) => index));
    expect(answers.every(({ index, data }) => data.length === 1000 && data[999] === index % 256)).toBe(true);
    expect(await all(streamed(client, download, [{ count: 0 }]))).toEqual([]);
  });

  test("a stream of requests comes whole and in order, and is answered once", async () => {
    const { client } = await pairOf(grpcStack, items, { tls });
    const answers = await all(streamed(client, upload, uploads(300, 10_000)));
    expect(answers).toMatchObject([{ count: 300, sizeBytes: 3_000_000n, inOrder: true }]);
    expect(await all(streamed(client, upload, []))).toMatchObject([{ count: 0 }]);
  });

  test("both ends may speak in turns, and the end of the requests ends the answers", async () => {
    const { client } = await pairOf(grpcStack, items, { tls });
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    async function* texts(): AsyncGenerator<{ text: string }> {
      yield { text: "one" };
      await begun;
      yield { text: "two" };
    }
    const heard: string[] = [];
    for await (const { text } of streamed(client, converse, texts())) {
      heard.push(text);
      begin();
    }
    expect(heard).toEqual(["one!", "two!"]);
  });
});

test("an error in the middle comes after the answers before it, with its details", async () => {
  const { client } = await pairOf(grpcStack, items);
  const heard: number[] = [];
  async function read(): Promise<void> {
    const answers = streamed(client, download, [{ count: 50, sizeBytes: 5000, codeAtEnd: 15 }]);
    for await (const { index } of answers) heard.push(index);
  }
  const { code, message, details } = await caught(read());
  expect([code, message, details.reason]).toEqual(["DATA_LOSS", "lost", "LOST"]);
  expect(heard).toHaveLength(50);
});

test("a server whose client does not read stops asking its handler for more", async () => {
  let given = 0;
  const service = conformanceService({
    async *download({ count }) {
      for (; given < count; given += 1) yield create(DownloadResponseSchema, { data: new Uint8Array(200_000) });
    },
  });
  const { client } = await pairOf(grpcStack, service);
  const answers = streamed(client, download, [{ count: 1000 }])[Symbol.asyncIterator]();
  await answers.next();
  await settled(() => given);
  // 4 MiB of window, 16 messages that the client's stream reads ahead, and what the writer may have under way.
  expect(given).toBeLessThan(60);
  await answers.return?.();
});

test("a client whose server does not read stops asking for requests", async () => {
  const service = conformanceService({
    upload: (_requests, { signal }) => new Promise((_resolve, reject) => signal.addEventListener("abort", reject)),
  });
  const { client } = await pairOf(grpcStack, service);
  let given = 0;
  function* counted(): ReturnType<typeof uploads> {
    for (const one of uploads(1000, 200_000)) {
      given += 1;
      yield one;
    }
  }
  const gaveUp = new AbortController();
  const call = all(streamed(client, upload, counted(), { signal: gaveUp.signal }));
  await settled(() => given);
  expect(given).toBeGreaterThan(0);
  expect(given).toBeLessThan(60);
  gaveUp.abort();
  expect((await caught(call)).code).toBe("CANCELLED");
});

/** Waits until a number has stopped growing. */
async function settled(read: () => number): Promise<void> {
  let last = -1;
  while (read() === 0 || read() !== last) {
    last = read();
    // oxlint-disable-next-line no-await-in-loop
    await sleep(200);
  }
}

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

test("a caller that stops reading cancels the handler, and the client stays usable", async () => {
  const { service, reason } = endless();
  const { client } = await pairOf(grpcStack, service);
  expect(await all(first(streamed(client, download, [{}])))).toHaveLength(1);
  expect((await reason).code).toBe("CANCELLED");
  expect(await all(first(streamed(client, download, [{}])))).toHaveLength(1);
});

/** Reads one value, then no more. */
async function* first<T>(values: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const value of values) {
    yield value;
    return;
  }
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

test("a deadline ends a stream on both sides", async () => {
  const { service, reason } = endless();
  const { client } = await pairOf(grpcStack, service);
  await all(first(streamed(client, download, [{}])));
  const { code } = await caught(all(streamed(client, download, [{}], { timeoutMs: 50 })));
  expect(code).toBe("DEADLINE_EXCEEDED");
  expect(["DEADLINE_EXCEEDED", "CANCELLED"]).toContain((await reason).code);
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

test("a request that breaks a rule fails the stream with what it broke", async () => {
  const { client } = await pairOf(grpcStack, items);
  const { code, details } = await caught(all(streamed(client, upload, [{ index: 1 }, { index: -1 }])));
  expect([code, details.violations[0]?.field]).toEqual(["INVALID_ARGUMENT", "index"]);
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

test("each message of a stream may be as large as the limit, and none larger", async () => {
  const options = { serve: { maxMessageBytes: 1000 }, connect: { maxMessageBytes: 1000 } };
  const { client } = await pairOf(grpcStack, items, options);
  // Tag and length take three bytes.
  expect(await all(streamed(client, upload, uploads(1, 997)))).toMatchObject([{ sizeBytes: 997n }]);
  expect((await caught(all(streamed(client, upload, uploads(1, 998))))).code).toBe("RESOURCE_EXHAUSTED");
  expect(await all(streamed(client, download, [{ count: 1, sizeBytes: 997 }]))).toHaveLength(1);
  const { code } = await caught(all(streamed(client, download, [{ count: 1, sizeBytes: 998 }])));
  expect(code).toBe("RESOURCE_EXHAUSTED");
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

test("an operation without a handler is UNIMPLEMENTED, whatever it streams", async () => {
  const { client } = await pairOf(grpcStack, conformanceService({}));
  const calls = [streamed(client, download, [{}]), streamed(client, upload, [{}]), streamed(client, converse, [{}])];
  const errors = await Promise.all(calls.map((call) => caught(all<unknown>(call))));
  expect(errors.map(({ code }) => code)).toEqual(["UNIMPLEMENTED", "UNIMPLEMENTED", "UNIMPLEMENTED"]);
});
