// gRPC's servers and clients against other ends, which say what no library would: above all those on Connect's library and on node:http2.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { UploadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { framed } from "@roundtrip/styles/grpc/server";
import { once } from "node:events";
import { constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { createServer as createTcpServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { caught, certificate, clientOf, hello, helloService, pairOf, greeting, grpcStack } from "./support/pair.ts";
import { conformanceService, methods, streamed } from "./support/streams.ts";
import { bareCall, clientSockets, urlOf } from "./support/wire.ts";

const connectNode = "grpc-connect-node+connect-node";
const nodeHttp2 = "grpc-node-http2+node-http2";
const stacks = [connectNode, nodeHttp2];

/** A message that says so and is compressed. */
function packed(message: Uint8Array): Buffer {
  return Buffer.from(framed(message)).fill(1, 0, 1);
}

const answer = toBinary(SayHelloResponseSchema, create(SayHelloResponseSchema, { message: "hi" }));
const grpcHeaders = { ":status": 200, "content-type": "application/grpc" };

/** The client of a server that answers each call in this way. */
async function clientOfAnswers(stack: string, answering: (stream: ServerHttp2Stream, call: number) => void) {
  let calls = 0;
  const server = createServer();
  server.on("stream", (stream) => {
    stream.on("error", () => undefined).resume();
    answering(stream, (calls += 1));
  });
  const client = await clientOf(stack, greeting, { url: await urlOf(server) });
  return { client, calls: () => calls };
}

function respond(stream: ServerHttp2Stream, body: Buffer, headers: Readonly<Record<string, string>> = {}): void {
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": 0 }));
  stream.respond({ ...grpcHeaders, ...headers }, { waitForTrailers: true });
  stream.end(body);
}

describe.each(stacks)("the client of %s", (stack) => {
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("reads an answer that is compressed with %s", async (encoding, pack) => {
    const { client } = await clientOfAnswers(stack, (stream) =>
      respond(stream, packed(pack(answer)), { "grpc-encoding": encoding }),
    );
    expect(await hello(client, "x")).toBe("hi");
  });

  test.each([
    ["half an answer", framed(answer).subarray(0, 6), stack === nodeHttp2 ? "INTERNAL" : "UNKNOWN"],
    ["an answer of another type", framed(Buffer.of(0x0a, 0x7f)), "INTERNAL"],
    ["an answer above the limit", framed(Buffer.alloc(5 * 2 ** 20)), "RESOURCE_EXHAUSTED"],
  ])("gives %s with the status OK an error", async (_what, body, code) => {
    const { client } = await clientOfAnswers(stack, (stream) => respond(stream, body));
    expect((await caught(hello(client, "x"))).code).toBe(code);
  });

  test.each([
    ["a page", { ":status": 200, "content-type": "text/html" }, "<html>", "UNKNOWN"],
    ["an answer without a status", grpcHeaders, framed(answer), stack === nodeHttp2 ? "UNKNOWN" : "INTERNAL"],
  ])("takes %s for no answer", async (_what, headers, body, code) => {
    const { client } = await clientOfAnswers(stack, (stream) => {
      stream.respond(headers);
      stream.end(body);
    });
    expect((await caught(hello(client, "x"))).code).toBe(code);
  });

  test.each([
    ["NGHTTP2_CANCEL", "CANCELLED", 1],
    ["NGHTTP2_INTERNAL_ERROR", "INTERNAL", 1],
    ["NGHTTP2_ENHANCE_YOUR_CALM", "RESOURCE_EXHAUSTED", 1],
    ["NGHTTP2_REFUSED_STREAM", "UNAVAILABLE", 4],
  ] as const)("makes of a stream reset with %s a call that is %s, after %i attempts", async (reset, code, attempts) => {
    const { client, calls } = await clientOfAnswers(stack, (stream) => stream.close(constants[reset]));
    expect((await caught(hello(client, "x"))).code).toBe(code);
    expect(calls()).toBe(attempts);
  });

  test("sends a call again whose stream the server has refused", async () => {
    const { client } = await clientOfAnswers(stack, (stream, call) => {
      if (call === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else respond(stream, Buffer.from(framed(answer)));
    });
    expect(await hello(client, "x")).toBe("hi");
  });

  test("gives up a connection that answers no ping, and a server that does not speak HTTP/2", async () => {
    const silent = createTcpServer((socket) => socket.resume());
    const settings = { keepAliveMs: 20, keepAliveTimeoutMs: 20 };
    const waiting = await clientOf(stack, greeting, { url: await urlOf(silent), settings });
    expect((await caught(hello(waiting, "x"))).code).toBe("UNAVAILABLE");
    const { key, cert, ca } = await certificate;
    const other = createTlsServer({ key, cert }, (socket) => socket.on("error", () => undefined).resume());
    const refused = await clientOf(stack, greeting, { url: await urlOf(other, "https"), ca });
    const { code, message } = await caught(hello(refused, "x"));
    expect([code, message]).toEqual(["UNAVAILABLE", expect.stringContaining("does not speak HTTP/2")]);
  });

  test("closes after calls that could not be made", async () => {
    const { client } = await pairOf(stack, greeting);
    await caught(hello(client, "x", { metadata: new Map([["X", "y"]]) }));
    await caught(hello(client, "x", { timeoutMs: 0 }));
    await caught(hello(client, "x", { signal: AbortSignal.abort() }));
    const last = hello(client, "last");
    await client.close();
    expect(await last).toBe("Hello, last!");
    expect((await caught(hello(client, "x"))).code).toBe("CANCELLED");
  });

  test("opens one connection for calls that begin at once, and another when the first is lost", async () => {
    const { client } = await pairOf(stack, greeting);
    const sockets = clientSockets();
    await Promise.all(Array.from({ length: 5 }, () => hello(client, "x")));
    expect(sockets.size).toBe(1);
    await Promise.all([...sockets].map((socket) => once(socket.destroy(), "close")));
    expect(await hello(client, "x")).toBe("Hello, x!");
  });
});

test.each(["grpc-js", "connect-node", "node-http2"])(
  "the client %s compresses requests for every server of gRPC",
  async (client) => {
    for (const server of ["grpc-connect-node", "grpc-js", "grpc-node-http2"]) {
      for (const requestCompression of ["identity", "deflate", "gzip"]) {
        const stack = client === "grpc-js" && server === "grpc-js" ? server : `${server}+${client}`;
        const pair = await pairOf(stack.replace("+grpc-js", ""), greeting, {
          connect: { settings: { requestCompression } },
        });
        expect(await hello(pair.client, "x".repeat(100))).toBe(`Hello, ${"x".repeat(100)}!`);
      }
    }
  },
);

const name = Buffer.from([0x0a, 1, 0x78]);

/** The frames of headers of one call, in their order. */
async function framesOf(
  stack: string,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
  service = greeting,
): Promise<readonly IncomingHttpHeaders[]> {
  const { server } = await pairOf(stack, service);
  const stream = bareCall(server.url, "/roundtrip.v1.HelloService/SayHello", headers);
  const frames: IncomingHttpHeaders[] = [];
  stream.on("response", (one) => frames.push(one)).on("trailers", (one) => frames.push(one));
  stream.resume().end(body);
  await once(stream, "close");
  return frames;
}

const accepted = { "grpc-status": "12", "grpc-accept-encoding": "identity,deflate,gzip" };

describe.each(stacks)("the server of %s", (stack) => {
  const onNode = stack === nodeHttp2;
  test.each([
    ["a call", {}, framed(name), { "grpc-status": "0" }],
    ["another message format", { "content-type": "application/grpc+json" }, framed(name), { ":status": 415 }],
    ["an invalid host", { ":authority": "a:99999" }, framed(name), { "grpc-status": "7" }],
    ["a deadline in the past", { "grpc-timeout": "0m" }, framed(name), { "grpc-status": "4" }],
    ["two requests", {}, Buffer.concat([framed(name), framed(name)]), { "grpc-status": "12" }],
    ["a compressed request", { "grpc-encoding": "gzip" }, packed(gzipSync(name)), { "grpc-status": "0" }],
    [
      "an unknown compression",
      { "grpc-encoding": "snappy" },
      packed(name),
      onNode ? accepted : { "grpc-status": "12" },
    ],
    ["an unknown compression that is not used", { "grpc-encoding": "snappy" }, framed(name), { "grpc-status": "12" }],
  ])("answers %s", async (_what, headers, body, expected) => {
    expect(Object.assign({}, ...(await framesOf(stack, headers, body)))).toMatchObject(expected);
  });

  test("sends an error with its metadata in one frame of headers", async () => {
    const service = helloService((_request, { answerMetadata }) => {
      answerMetadata.set("x-cost", "3");
      throw new CallError("ABORTED", "no #1");
    });
    expect(await framesOf(stack, {}, framed(name), service)).toEqual([
      expect.objectContaining({ ":status": 200, "grpc-status": "10", "grpc-message": "no%20#1", "x-cost": "3" }),
    ]);
  });

  test("closes at once after calls that did not read their whole requests", async () => {
    const service = conformanceService({
      async upload(requests) {
        for await (const { index } of requests) return create(UploadResponseSchema, { count: index });
        return create(UploadResponseSchema);
      },
    });
    // A grace period beyond the test's time limit: waiting for it fails.
    const { server, client } = await pairOf(stack, service, { serve: { shutdownGraceMs: 600_000 } });
    const data = new Uint8Array(2 ** 20);
    const requests = Array.from({ length: 8 }, (_, index) => ({ index, data }));
    expect(await Array.fromAsync(streamed(client, methods.upload, requests))).toHaveLength(1);
    const tooLarge = [{ index: 0, data: new Uint8Array(8 * 2 ** 20) }];
    expect((await caught(Array.fromAsync(streamed(client, methods.upload, tooLarge)))).code).toBe("RESOURCE_EXHAUSTED");
    await server.close();
  });
});

test("a stream whose last request is cut short is no whole stream", async () => {
  let count = 0;
  const service = conformanceService({
    async upload(requests) {
      for await (const { index } of requests) count += Math.sign(index);
      return create(UploadResponseSchema, { count });
    },
  });
  const path = { ":path": "/roundtrip.conformance.v1.ConformanceService/Upload" };
  const body = Buffer.concat([framed(Buffer.from([8, 1])), framed(Buffer.from([8, 2]))]);
  for (const [bytes, status] of [
    [body, "0"],
    [body.subarray(0, -1), "3"],
    [body.subarray(0, -4), "3"],
  ] as const) {
    const frames = await framesOf(grpcStack, path, bytes, service);
    expect(Object.assign({}, ...frames)).toMatchObject({ "grpc-status": status });
  }
  expect(count).toBe(4);
});

test("what decompresses to more than the limit is refused, however small it came", async () => {
  const bomb = packed(gzipSync(Buffer.alloc(50 * 2 ** 20)));
  expect(bomb.length).toBeLessThan(100_000);
  const frames = await framesOf(grpcStack, { "grpc-encoding": "gzip" }, bomb);
  expect(Object.assign({}, ...frames)).toMatchObject({ "grpc-status": "8" });
});

test("of an error too large for metadata, the code, the beginning of its message and its first violations arrive", async () => {
  const violations = Array.from({ length: 1000 }, (_, index) => ({
    field: `f${index}`,
    description: "d",
    reason: "r",
  }));
  const message = "👋".repeat(5_000);
  const service = helloService(() => {
    throw new CallError("FAILED_PRECONDITION", message, { reason: "WHY", domain: "test", violations });
  });
  const { client } = await pairOf(grpcStack, service);
  const error = await caught(hello(client, "x"));
  expect([error.code, error.details.reason]).toEqual(["FAILED_PRECONDITION", "WHY"]);
  expect(error.message).toBe("👋".repeat(249));
  // Half of them, and half of those, and so on until they fit.
  expect(error.details.violations).toEqual(violations.slice(0, 125));
});
