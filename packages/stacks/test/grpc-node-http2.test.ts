// The gRPC server and client on node:http2 against other ends, which say what no library would.
import { create, toBinary } from "@bufbuild/protobuf";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { connect, constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { caught, certificate, clientOf, hello, helloService, pairOf } from "./support/pair.ts";
import { clientSockets } from "./support/wire.ts";

const stack = "grpc-node-http2+node-http2";
const greeting = helloService(({ name }) => `Hello, ${name}!`);

/** A message as gRPC frames it. */
function framed(message: Uint8Array, flag = 0): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flag);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

const answer = toBinary(SayHelloResponseSchema, create(SayHelloResponseSchema, { message: "hi" }));
const grpcHeaders = { ":status": 200, "content-type": "application/grpc" };

async function urlOf(server: Server, scheme = "http"): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The client of a server that answers each call in this way. */
async function clientOfAnswers(answering: (stream: ServerHttp2Stream, call: number) => void) {
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

describe("the client", () => {
  test("reads an answer that is compressed", async () => {
    const { client } = await clientOfAnswers((stream) =>
      respond(stream, framed(gzipSync(answer), 1), { "grpc-encoding": "gzip" }),
    );
    expect(await hello(client, "x")).toBe("hi");
  });

  test.each([
    ["two answers", Buffer.concat([framed(answer), framed(answer)]), "UNIMPLEMENTED", /gave more than one answer/],
    ["no answer", Buffer.alloc(0), "UNIMPLEMENTED", /gave no answer/],
    ["half an answer", framed(answer).subarray(0, 6), "INTERNAL", /the answer is cut short/],
    ["an answer of another type", framed(Buffer.of(0x0a, 0x7f)), "INTERNAL", /is no roundtrip\.v1\.SayHelloResponse/],
    ["an answer above the limit", framed(Buffer.alloc(5 * 2 ** 20)), "RESOURCE_EXHAUSTED", /larger than 4194304 bytes/],
  ])("gives %s with the status OK an error", async (_what, body, code, message) => {
    const { client } = await clientOfAnswers((stream) => respond(stream, body));
    const error = await caught(hello(client, "x"));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
  });

  test.each([
    ["a page", { ":status": 200, "content-type": "text/html" }, "<html>", "UNKNOWN"],
    ["a gateway's error", { ":status": 503 }, "busy", "UNAVAILABLE"],
    ["an answer without a status", grpcHeaders, framed(answer), "UNKNOWN"],
  ])("takes %s for no answer", async (_what, headers, body, code) => {
    const { client } = await clientOfAnswers((stream) => {
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
    const { client, calls } = await clientOfAnswers((stream) => stream.close(constants[reset]));
    expect((await caught(hello(client, "x"))).code).toBe(code);
    expect(calls()).toBe(attempts);
  });

  test("sends a call again whose stream the server has refused", async () => {
    const { client } = await clientOfAnswers((stream, call) => {
      if (call === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else respond(stream, framed(answer));
    });
    expect(await hello(client, "x")).toBe("hi");
  });

  test("gives up a connection that answers no ping, and a server that does not speak HTTP/2", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => undefined).resume());
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

const name = Buffer.from([0x0a, 1, 0x78]);

/** The headers and trailers of one call. */
async function answerTo(headers: IncomingHttpHeaders, body: Buffer): Promise<IncomingHttpHeaders> {
  const { server } = await pairOf(stack, greeting);
  const session = connect(server.url);
  onTestFinished(() => session.destroy());
  const path = "/roundtrip.v1.HelloService/SayHello";
  const common = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...common, ...headers });
  let received: IncomingHttpHeaders = {};
  const receive = (more: IncomingHttpHeaders): void => void (received = { ...received, ...more });
  stream.on("response", receive).on("trailers", receive).resume().end(body);
  await once(stream, "close");
  return received;
}

describe("the server", () => {
  test.each([
    ["a call", {}, framed(name), { "grpc-status": "0" }],
    ["another method", { ":method": "PUT" }, framed(name), { ":status": 405, allow: "POST" }],
    ["another content type", { "content-type": "application/grpc-web" }, framed(name), { ":status": 415 }],
    ["another message format", { "content-type": "application/grpc+json" }, framed(name), { ":status": 415 }],
    ["an unknown path", { ":path": "/x" }, framed(name), { ":status": 200, "grpc-status": "12" }],
    ["a malformed deadline", { "grpc-timeout": "1s" }, framed(name), { "grpc-status": "3" }],
    ["a deadline in the past", { "grpc-timeout": "0m" }, framed(name), { "grpc-status": "4" }],
    ["no request", {}, Buffer.alloc(0), { "grpc-status": "12" }],
    ["half a request", {}, framed(name).subarray(0, 7), { "grpc-status": "12" }],
    ["two requests", {}, Buffer.concat([framed(name), framed(name)]), { "grpc-status": "12" }],
    ["a compressed request", { "grpc-encoding": "gzip" }, framed(gzipSync(name), 1), { "grpc-status": "0" }],
    [
      "an unknown compression",
      { "grpc-encoding": "zstd" },
      framed(name, 1),
      { "grpc-status": "12", "grpc-accept-encoding": "identity,deflate,gzip" },
    ],
    ["an unknown compression that is not used", { "grpc-encoding": "zstd" }, framed(name), { "grpc-status": "12" }],
  ])("answers %s", async (_what, headers, body, expected) => {
    expect(await answerTo(headers, body)).toMatchObject(expected);
  });
});
