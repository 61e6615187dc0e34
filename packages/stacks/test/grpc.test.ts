// What users of the gRPC stack can rely on, over real sockets.
import { CallError } from "@roundtrip/contract";
import { connect as connectHttp2 } from "node:http2";
import { describe, expect, onTestFinished, test } from "vitest";
import { flowControlWindowBytes } from "../src/shared/http2/http2-settings.ts";
import { caught, grpcStack, hello, helloService, pairOf } from "./support/pair.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);

describe.each([
  { over: "plain TCP", tls: false },
  { over: "TLS", tls: true },
])("over $over", ({ tls }) => {});

test("half a surrogate pair in a message does not stop the error", async () => {
  const service = helloService(() => {
    throw new CallError("ABORTED", "half \uD83D");
  });
  const { client } = await pairOf(grpcStack, service);
  const error = await caught(hello(client, "x"));
  expect([error.code, error.message]).toEqual(["ABORTED", "half \uFFFD"]);
});

test("both directions have the declared HTTP/2 window, and calls at once are bounded", async () => {
  const { server } = await pairOf(grpcStack, greeting);
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  await new Promise((resolve) => session.once("remoteSettings", resolve));
  expect(session.remoteSettings.initialWindowSize).toBe(flowControlWindowBytes);
  expect(session.remoteSettings.maxConcurrentStreams).toBe(1_000);
  await new Promise((resolve) => session.ping(resolve));
  expect(session.state.remoteWindowSize).toBe(flowControlWindowBytes);
});

test("more calls at once than a connection may carry wait for their turn", async () => {
  const service = helloService(async ({ name }) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return name;
  });
  const { client } = await pairOf(grpcStack, service);
  await hello(client, "first");
  const names = Array.from({ length: 1_500 }, (_, index) => String(index));
  expect(await Promise.all(names.map((name) => hello(client, name)))).toEqual(names);
});
