// The end of streams, early, late, cancelled or cut off: both sides learn of it.
import { ConformanceService } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import type { Metadata } from "@roundtrip/contract";
import { casesIn } from "../../case/case.ts";
import { echoing } from "../../support/echo.ts";
import { expectEqual, expectError } from "../../case/expectations.ts";
import { markHandled } from "../../case/mark-handled.ts";
import { all, endless, streamingHandlers } from "../../support/streams.ts";

const { download, echo } = ConformanceService.method;
const needs = ["server", "serverStream"] as const;

/** The cases RT-1110 to RT-1129. */
export const streamEndCases = casesIn("streaming", [
  {
    id: "RT-1110",
    level: "MUST",
    title: "a reader that stops early stops the handler, and the next call succeeds",
    needs,
    async run(run) {
      const { handlers, aborted } = endless(10);
      const { call, stream } = await run.serveConformance(new Map([...handlers, ...echoing]));
      for await (const { index } of stream(download, [{}])) if (index === 3) break;
      await aborted;
      await call(echo, {});
    },
  },
  {
    id: "RT-1111",
    level: "MUST",
    title: "a deadline in the middle of a stream is DEADLINE_EXCEEDED, and its handler's signal aborts",
    needs,
    async run(run) {
      const { handlers, aborted, sent } = endless(10, 2);
      const { stream } = await run.serveConformance(handlers);
      // On a busy machine, the deadline can pass before the handler starts.
      for (const timeoutMs of [150, 450, 1_350]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectError(all(stream(download, [{}], { timeoutMs })), "DEADLINE_EXCEEDED");
        if (sent() > 0) break;
      }
      await aborted;
    },
  },
  {
    id: "RT-1112",
    level: "MUST",
    title: "a stream that its caller cancels is CANCELLED after the received items, and its handler's signal aborts",
    needs,
    async run(run) {
      const { handlers, aborted } = endless(10, 2);
      const { stream } = await run.serveConformance(handlers);
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
  },
  {
    id: "RT-1113",
    level: "MUST",
    title: "a stream that nobody reads does not start",
    needs,
    async run(run) {
      const { handlers, sent } = endless(10);
      const { call, stream } = await run.serveConformance(new Map([...handlers, ...echoing]));
      stream(download, [{}]);
      await call(echo, {});
      expectEqual(sent(), 0, "items sent");
      for await (const { index } of stream(download, [{}])) {
        expectEqual(index, 0, "index");
        break;
      }
    },
  },
  {
    id: "RT-1114",
    level: "MUST",
    title: "metadata of a stream arrives in both directions, before the first item",
    needs: [...needs, "metadata"],
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      const events: string[] = [];
      const options = {
        metadata: new Map([["x-tenant", "blue"]]),
        onMetadata: (metadata: Metadata) => void events.push(metadata.get("x-tenant") ?? "none"),
      };
      for await (const { index } of stream(download, [{ count: 2 }], options)) events.push(`item ${index}`);
      expectEqual(events, ["blue", "item 0", "item 1"], "events");
    },
  },
  {
    id: "RT-1115",
    level: "MUST",
    title: "the caller receives the metadata of a stream that fails",
    needs: [...needs, "metadata"],
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      const tenants: (string | undefined)[] = [];
      const options = {
        metadata: new Map([["x-tenant", "blue"]]),
        onMetadata: (metadata: Metadata) => void tenants.push(metadata.get("x-tenant")),
      };
      await expectError(all(stream(download, [{ codeAtEnd: 9 }], options)), "FAILED_PRECONDITION");
      expectEqual(tenants, ["blue"], "heard");
    },
  },
  {
    id: "RT-1116",
    level: "MUST",
    title: "concurrent streams each have their own items",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers, { connections: 5 });
      const counts = [10, 20, 30, 40, 50];
      const lengths = await Promise.all(counts.map(async (count) => (await all(stream(download, [{ count }]))).length));
      expectEqual(lengths, counts, "lengths");
    },
  },
  {
    id: "RT-1117",
    level: "MUST",
    title:
      "a stream that outlasts the grace period of a stopping server is UNAVAILABLE, and its handler's signal aborts",
    needs,
    async run(run) {
      const { handlers, aborted } = endless(10, 1);
      const { stream, stop } = await run.serveConformance(handlers, { shutdownGraceMs: 100 });
      let stopped: Promise<void> | undefined;
      async function read(): Promise<void> {
        for await (const _ of stream(download, [{}])) stopped ??= markHandled(stop());
      }
      await expectError(read(), "UNAVAILABLE");
      await stopped;
      await aborted;
    },
  },
  {
    id: "RT-1118",
    level: "MUST",
    title: "an item above the client's limit is RESOURCE_EXHAUSTED",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers, { maxResponseBytes: 64 * 1024 });
      await expectError(all(stream(download, [{ count: 1, sizeBytes: 128 * 1024 }])), "RESOURCE_EXHAUSTED");
      const together = await all(stream(download, [{ count: 8, sizeBytes: 32 * 1024 }]));
      expectEqual(together.length, 8, "items below the limit, above it together");
    },
  },
]);
