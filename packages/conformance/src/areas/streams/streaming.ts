// Streams of responses: complete, in order, with flow control, and with one end for both sides.
import { create } from "@bufbuild/protobuf";
import { ConformanceService, DownloadResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations } from "../../case/expectations.ts";
import { all, endless, itemBytes, streamingHandlers, untilError } from "../../support/streams.ts";

const { download } = ConformanceService.method;
const needs = ["server", "serverStream"] as const;

/** Twice the size of all buffers between sender and reader. */
const fastItems = 1_500;
const itemSizeBytes = 64 * 1024;

/** The cases RT-1101 to RT-1109. */
export const streamingCases = casesIn("streaming", [
  {
    id: "RT-1101",
    level: "MUST",
    title: "the items of a stream arrive complete and in order",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      const items = await all(stream(download, [{ count: 500, sizeBytes: 10 }]));
      const expected = Array.from({ length: 500 }, (_, index) =>
        create(DownloadResponseSchema, { index, data: itemBytes(index, 10) }),
      );
      expectEqual(items, expected, "items");
    },
  },
  {
    id: "RT-1102",
    level: "MUST",
    title: "a stream without items ends without an error",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      expectEqual(await all(stream(download, [{}])), [], "items");
    },
  },
  {
    id: "RT-1103",
    level: "MUST",
    title: "items of a quarter of a megabyte arrive unchanged",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      let index = 0;
      for await (const { data } of stream(download, [{ count: 20, sizeBytes: 262_144 }])) {
        expect(Buffer.compare(data, itemBytes(index, 262_144)) === 0, `item ${index} differs`);
        index += 1;
      }
      expectEqual(index, 20, "items");
    },
  },
  {
    id: "RT-1104",
    level: "MUST",
    title: "the first item of a stream arrives before the second one is made",
    needs,
    async run(run) {
      const gate = Promise.withResolvers<void>();
      const { stream } = await run.serveConformance(
        someHandlersOf(ConformanceService, {
          async *download() {
            yield create(DownloadResponseSchema, { index: 1 });
            await gate.promise;
            yield create(DownloadResponseSchema, { index: 2 });
          },
        }),
      );
      const indexes: number[] = [];
      for await (const { index } of stream(download, [{}])) {
        indexes.push(index);
        gate.resolve();
      }
      expectEqual(indexes, [1, 2], "indexes");
    },
  },
  {
    id: "RT-1105",
    level: "MUST",
    title: "an error after items follows all of them, with its details",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      const { items, error } = await untilError(stream(download, [{ count: 3, codeAtEnd: 15 }]));
      expectEqual(
        items.map(({ index }) => index),
        [0, 1, 2],
        "indexes",
      );
      const { message, details } = await expectError(error, "DATA_LOSS");
      expectEqual([message, details.reason], ["at the end", "END"], "error");
    },
  },
  {
    id: "RT-1106",
    level: "MUST",
    title: "an error before the first item arrives as that error",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(streamingHandlers);
      for (const [codeAtEnd, code] of [
        [5, "NOT_FOUND"],
        [7, "PERMISSION_DENIED"],
        [14, "UNAVAILABLE"],
      ] as const) {
        // oxlint-disable-next-line no-await-in-loop
        const { details } = await expectError(all(stream(download, [{ codeAtEnd }])), code);
        expectEqual(details.reason, "END", "reason");
      }
    },
  },
  {
    id: "RT-1107",
    level: "MUST",
    title: "a request that breaks a rule fails its stream, names the field, and no handler runs",
    needs,
    async run(run) {
      const { handlers, sent } = endless(1);
      const { stream } = await run.serveConformance(handlers);
      const violations = [{ field: "count", reason: "int32.gte" }];
      await expectViolations(all(stream(download, [{ count: -1 }])), violations);
      expectEqual(sent(), 0, "items sent");
    },
  },
  {
    id: "RT-1108",
    level: "MUST",
    title: "an unexpected error of a streaming handler is INTERNAL, and its text stays on the server",
    needs,
    async run(run) {
      const { stream } = await run.serveConformance(
        someHandlersOf(ConformanceService, {
          async *download() {
            yield create(DownloadResponseSchema, {});
            throw new TypeError("password=hunter2");
          },
        }),
      );
      const { items, error } = await untilError(stream(download, [{}]));
      expectEqual(items.length, 1, "items");
      const { message } = await expectError(error, "INTERNAL");
      expect(!message.includes("hunter2"), `the error contains ${message}`);
    },
  },
  {
    id: "RT-1109",
    level: "MUST",
    title: "a reader that pauses makes the handler pause",
    needs,
    async run(run) {
      const { handlers, sent } = endless(itemSizeBytes);
      const { stream } = await run.serveConformance(handlers);
      for await (const _ of stream(download, [{}])) {
        let before = -1;
        // Until nothing more is sent, or for two seconds: on a busy machine, buffers fill slowly.
        for (let looks = 0; looks < 10 && sent() > before && sent() < fastItems; looks++) {
          before = sent();
          // oxlint-disable-next-line no-await-in-loop
          await new Promise((resolve) => setTimeout(resolve, 200));
        }
        break;
      }
      expect(sent() < fastItems, `${sent()} items of ${itemSizeBytes} bytes were sent to a reader of one`);
    },
  },
]);
