// When streams start and end, what they carry, and that both sides learn of the end.
import { ConformanceService } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { Metadata } from "@roundtrip/contract";
import { casesIn, needing } from "../../case/case.ts";
import { expectEqual, expectError, expectExpired } from "../../case/expectations.ts";
import { markHandled } from "../../case/mark-handled.ts";
import { all, endless, streamingHandlers } from "../../support/streams.ts";

const { download, echo } = ConformanceService.method;
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
      (timeoutMs) => all(stream(download, [{}], { timeoutMs })),
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
    },
  ),
  "RT-1115 the caller receives the metadata of a stream that fails": needing([...needs, "metadata"], async (run) => {
    const { stream } = await run.serveConformance(streamingHandlers);
    const tenants: (string | undefined)[] = [];
    const options = {
      metadata: new Map([["x-tenant", "blue"]]),
      onMetadata: (metadata: Metadata) => void tenants.push(metadata.get("x-tenant")),
    };
    await expectError(all(stream(download, [{ codeAtEnd: 9 }], options)), "FAILED_PRECONDITION");
    expectEqual(tenants, ["blue"], "heard");
  }),
  async "RT-1116 concurrent streams each have their own items"(run) {
    const { stream } = await run.serveConformance(streamingHandlers, { connections: 5 });
    const counts = [10, 20, 30, 40, 50];
    const lengths = await Promise.all(counts.map(async (count) => (await all(stream(download, [{ count }]))).length));
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
    await expectError(all(stream(download, [{ count: 1, sizeBytes: 128 * 1024 }])), "RESOURCE_EXHAUSTED");
    const together = await all(stream(download, [{ count: 8, sizeBytes: 32 * 1024 }]));
    expectEqual(together.length, 8, "items below the limit, above it together");
  },
});
