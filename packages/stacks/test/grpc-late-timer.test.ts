// A busy event loop has no time for timers. A stream that goes on after its caller has left at the deadline would keep it busy.
import { connect } from "node:http2";
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { conformanceService, item, operationNamed } from "./support/streams.ts";
import { grpcStack, pairOf } from "./support/pair.ts";

const timeoutMs = 50;
const noRequest = Buffer.alloc(5);

test("a handler is ended when its caller leaves after the deadline, although no timer has fired", async () => {
  const ended = Promise.withResolvers<unknown>();
  const service = conformanceService({
    async *download(_request, { signal }) {
      yield item({ index: 0 });
      signal.addEventListener("abort", () => ended.resolve(signal.reason));
      await ended.promise;
    },
  });
  const { server } = await pairOf(grpcStack, service);
  const session = connect(server.url);
  onTestFinished(() => session.destroy());
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { parent, name } = operationNamed("Download").method;
  const stream = session.request({
    ":method": "POST",
    ":path": `/${parent.typeName}/${name}`,
    "content-type": "application/grpc",
    te: "trailers",
    "grpc-timeout": `${timeoutMs}m`,
  });
  stream.end(noRequest);
  await new Promise((resolve) => stream.once("data", resolve));
  const over = performance.now() + 2 * timeoutMs;
  while (performance.now() < over) await turn(); // oxlint-disable-line no-await-in-loop
  stream.close();
  expect(await ended.promise).toMatchObject({
    code: expect.stringMatching(/^(DEADLINE_EXCEEDED|CANCELLED)$/) as unknown,
  });
});
