// Streams of responses: complete, in order, with flow control, and with one end for both sides.
import { create } from "@bufbuild/protobuf";
import { codeFromGrpc } from "@roundtrip/contract";
import { ConformanceService, DownloadResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { someHandlersOf } from "../../support/some-handlers-of.ts";
import { casesIn } from "../../case/case.ts";
import { expect, expectEqual, expectError, expectViolations, inTurn } from "../../case/expectations.ts";
import { all, endless, itemBytes, streamingHandlers, untilBlocked, untilError } from "../../support/streams.ts";

const { download } = ConformanceService.method;

/** Twice the size of all buffers between sender and reader. */
const fastItems = 1_500;
const itemSizeBytes = 64 * 1024;

/** The cases RT-1101 to RT-1109. */
export const streamingCases = casesIn("streaming", ["server", "serverStream"], {
  async "RT-1101 the items of a stream arrive complete and in order"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    const items = await all(stream(download, [{ count: 500, sizeBytes: 10 }]));
    const expected = Array.from({ length: 500 }, (_, index) =>
      create(DownloadResponseSchema, { index, data: itemBytes(index, 10) }),
    );
    expectEqual(items, expected, "items");
  },
  async "RT-1102 a stream without items ends without an error"(run) {
    const { stream } = await run.serveConformance(streamingHandlers);
    expectEqual(await all(stream(download, [{}])), [], "items");
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
      const { details } = await expectError(all(stream(download, [{ codeAtEnd }])), codeFromGrpc(codeAtEnd));
      expectEqual(details.reason, "END", "reason");
    });
  },
  async "RT-1107 a request that breaks a rule fails its stream, names the field, and no handler runs"(run) {
    const { stream, sent } = await endless(run, 1);
    const violations = [{ field: "count", reason: "int32.gte" }];
    await expectViolations(all(stream(download, [{ count: -1 }])), violations);
    expectEqual(sent(), 0, "items sent");
  },
  async "RT-1108 an unexpected error of a streaming handler is INTERNAL, and its text stays on the server"(run) {
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
  async "RT-1109 a reader that pauses makes the handler pause"(run) {
    const { stream, sent } = await endless(run, itemSizeBytes);
    for await (const _ of stream(download, [{}])) {
      await untilBlocked(sent, fastItems);
      break;
    }
    expect(sent() < fastItems, `${sent()} items of ${itemSizeBytes} bytes were sent to a reader of one`);
  },
});
