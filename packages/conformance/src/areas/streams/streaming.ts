// Streams of responses: complete, in order, with flow control, and with one end for both sides.
import { create } from "@bufbuild/protobuf";
import { codeFromGrpc, type Metadata } from "@roundtrip/contract";
import { ConformanceService, DownloadResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { servingSome } from "../../support/handlers.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectExpired, expectViolations, inTurn } from "../../case/expectations.ts";
import { endless, itemBytes, streamingHandlers, untilBlocked, untilError } from "../../support/streams.ts";
import { markHandled } from "../../case/case-run.ts";

const { download, echo } = ConformanceService.method;

/** Twice the size of all buffers between sender and reader. */
const fastItems = 1_500;
const itemSizeBytes = 64 * 1024;

/** The cases RT-1101 to RT-1109. */
export const streamingCases = casesIn("streaming", ["server", "serverStream"], {
  async "RT-1101 the items of a stream arrive complete and in order"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    const items = await Array.fromAsync(stream(download, [{ count: 500, sizeBytes: 10 }]));
    const expected = Array.from({ length: 500 }, (_, index) =>
      create(DownloadResponseSchema, { index, data: itemBytes(index, 10) }),
    );
    expectEqual(items, expected, "items");
  },
  async "RT-1102 a stream without items ends without an error"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    expectEqual(await Array.fromAsync(stream(download, [{}])), [], "items");
  },
  async "RT-1103 items of a quarter of a megabyte arrive unchanged"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    let index = 0;
    for await (const { data } of stream(download, [{ count: 20, sizeBytes: 262_144 }])) {
      expect(Buffer.compare(data, itemBytes(index, 262_144)) === 0, `item ${index} differs`);
      index += 1;
    }
    expectEqual(index, 20, "items");
  },
  async "RT-1104 the first item of a stream arrives before the second one is made"(run) {
    const gate = Promise.withResolvers<void>();
    const { stream } = await servingSome(run, {
      async *download() {
        yield create(DownloadResponseSchema, { index: 1 });
        await gate.promise;
        yield create(DownloadResponseSchema, { index: 2 });
      },
    });
    const indexes: number[] = [];
    for await (const { index } of stream(download, [{}])) {
      indexes.push(index);
      gate.resolve();
    }
    expectEqual(indexes, [1, 2], "indexes");
  },
  async "RT-1105 an error after items follows all of them, with its details"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    const { items, error } = await untilError(stream(download, [{ count: 3, codeAtEnd: 15 }]));
    const indexes = items.map(({ index }) => index);
    expectEqual(indexes, [0, 1, 2], "indexes");
    const { message, details } = await expectError(error, "DATA_LOSS");
    expectEqual([message, details.reason], ["at the end", "END"], "error");
  },
  async "RT-1106 an error before the first item arrives as that error"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    await inTurn([5, 7, 14], async (codeAtEnd) => {
      const { details } = await expectError(
        Array.fromAsync(stream(download, [{ codeAtEnd }])),
        codeFromGrpc(codeAtEnd),
      );
      expectEqual(details.reason, "END", "reason");
    });
  },
  async "RT-1107 a request that breaks a rule fails its stream, names the field, and no handler runs"(run) {
    const { stream, sent } = await endless(run, 1);
    const violations = [{ field: "count", reason: "int32.gte" }];
    await expectViolations(Array.fromAsync(stream(download, [{ count: -1 }])), violations);
    expectEqual(sent(), 0, "items sent");
  },
  async "RT-1108 an unexpected error of a streaming handler is INTERNAL, and its text stays on the server"(run) {
    const { stream } = await servingSome(run, {
      async *download() {
        yield create(DownloadResponseSchema, {});
        throw new TypeError("password=hunter2");
      },
    });
    const { items, error } = await untilError(stream(download, [{}]));
    expectEqual(items.length, 1, "items");
    const { message } = await expectError(error, "INTERNAL");
    expect(!message.includes("hunter2"), `the error contains ${message}`);
  },
  async "RT-1109 a reader that pauses makes the handler pause"(run) {
    const { stream, sent } = await endless(run, itemSizeBytes);
    for await (const _ of stream(download, [{}])) {
      await untilBlocked(sent, fastItems);
      break;
    }
    expect(sent() < fastItems, `${sent()} items of ${itemSizeBytes} bytes were sent to a reader of one`);
  },
});

// When streams start and end, what they carry, and that both sides learn of the end.

const needs = ["server", "serverStream"] as const;

/** Cases from the range RT-1110 to RT-1129. */
export const streamEndCases = casesIn("streaming", needs, {
  async "RT-1110 a reader that stops early stops the handler, and the next call succeeds"(run) {
    const { call, stream, aborted } = await endless(run, 10);
    for await (const { index } of stream(download, [{}])) if (index === 3) break;
    await aborted;
    await call(echo, {});
  },
  async "RT-1111 a deadline in the middle of a stream is DEADLINE_EXCEEDED, and its handler's signal aborts"(run) {
    const { stream, aborted, sent } = await endless(run, 10, 2);
    await expectExpired(
      (timeoutMs) => Array.fromAsync(stream(download, [{}], { timeoutMs })),
      () => sent() > 0,
    );
    await aborted;
  },
  async "RT-1112 a stream that its caller cancels is CANCELLED after the received items, and its handler's signal aborts"(
    run,
  ) {
    const { stream, aborted } = await endless(run, 10, 2);
    const controller = new AbortController();
    const items: unknown[] = [];
    async function read(): Promise<void> {
      for await (const item of stream(download, [{}], { signal: controller.signal })) {
        items.push(item);
        if (items.length === 2) controller.abort();
      }
    }
    await expectError(read(), "CANCELLED");
    expectEqual(items.length, 2, "items");
    await aborted;
  },
  async "RT-1113 a stream that nobody reads does not start"(run) {
    const { call, stream, sent } = await endless(run, 10);
    stream(download, [{}]);
    await call(echo, {});
    expectEqual(sent(), 0, "items sent");
    for await (const { index } of stream(download, [{}])) {
      expectEqual(index, 0, "index");
      break;
    }
  },
  "RT-1114 metadata of a stream arrives in both directions, before the first item": needing(
    [...needs, "metadata"],
    async (run) => {
      const { stream } = await run.serveConformance(streamingHandlers);
      const events: string[] = [];
      const options = {
        metadata: new Map([["x-tenant", "blue"]]),
        onMetadata: (metadata: Metadata) => void events.push(metadata.get("x-tenant") ?? "none"),
      };
      for await (const { index } of stream(download, [{ count: 2 }], options)) events.push(`item ${index}`);
      expectEqual(events, ["blue", "item 0", "item 1"], "events");
      await Array.fromAsync(stream(download, [{}], options));
      expectEqual(events.slice(3), ["blue"], "events of a stream without items");
    },
  ),
  "RT-1115 the caller receives the metadata of a stream that fails": needing([...needs, "metadata"], async (run) => {
    const { stream } = await run.serveConformance(streamingHandlers);
    const tenants: (string | undefined)[] = [];
    const options = {
      metadata: new Map([["x-tenant", "blue"]]),
      onMetadata: (metadata: Metadata) => void tenants.push(metadata.get("x-tenant")),
    };
    await expectError(Array.fromAsync(stream(download, [{ codeAtEnd: 9 }], options)), "FAILED_PRECONDITION");
    expectEqual(tenants, ["blue"], "heard");
  }),
  async "RT-1116 concurrent streams each have their own items"(run) {
    const { stream } = await run.serveConformance(streamingHandlers, { connections: 5 });
    const counts = [10, 20, 30, 40, 50];
    const lengths = await Promise.all(
      counts.map(async (count) => (await Array.fromAsync(stream(download, [{ count }]))).length),
    );
    expectEqual(lengths, counts, "lengths");
  },
  async "RT-1117 a stream that outlasts the grace period of a stopping server is UNAVAILABLE, and its handler's signal aborts"(
    run,
  ) {
    const { stream, stop, aborted } = await endless(run, 10, 1, { shutdownGraceMs: 100 });
    let stopped: Promise<void> | undefined;
    async function read(): Promise<void> {
      for await (const _ of stream(download, [{}])) stopped ??= markHandled(stop());
    }
    await expectError(read(), "UNAVAILABLE");
    await stopped;
    await aborted;
  },
  async "RT-1118 an item above the client's limit is RESOURCE_EXHAUSTED"(run) {
    const { stream } = await run.serveConformance(streamingHandlers, { maxResponseBytes: 64 * 1024 });
    await expectError(Array.fromAsync(stream(download, [{ count: 1, sizeBytes: 128 * 1024 }])), "RESOURCE_EXHAUSTED");
    const together = await Array.fromAsync(stream(download, [{ count: 8, sizeBytes: 32 * 1024 }]));
    expectEqual(together.length, 8, "items below the limit, above it together");
  },
});
