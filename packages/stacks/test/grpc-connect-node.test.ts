// The gRPC server and client on Connect's library against other ends, which say what no library would.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import { UploadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import { connect, constants, createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { caught, clientOf, hello, helloService, pairOf } from "./support/pair.ts";
import { all, conformanceService, methods, streamed } from "./support/streams.ts";

const { upload } = methods;

const stack = "grpc-connect-node+connect-node";
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

async function urlOf(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  test.each([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("reads an answer that is compressed with %s", async (encoding, pack) => {
    const { client } = await clientOfAnswers((stream) =>
      respond(stream, framed(pack(answer), 1), { "grpc-encoding": encoding }),
    );
    expect(await hello(client, "x")).toBe("hi");
  });

  test("makes an error of an answer above the limit, of another type, and without a status", async () => {
    const bodies = [framed(Buffer.alloc(5 * 2 ** 20)), framed(Buffer.of(0x0a, 0x7f))];
    const codes: string[] = [];
    for (const body of bodies) {
      // oxlint-disable-next-line no-await-in-loop
      const { client } = await clientOfAnswers((stream) => respond(stream, body));
      // oxlint-disable-next-line no-await-in-loop
      codes.push((await caught(hello(client, "x"))).code);
    }
    const { client } = await clientOfAnswers((stream) => {
      stream.respond({ ":status": 503 });
      stream.end("busy");
    });
    codes.push((await caught(hello(client, "x"))).code);
    expect(codes).toEqual(["RESOURCE_EXHAUSTED", "INTERNAL", "UNAVAILABLE"]);
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

  test("gives up a connection that answers no ping", async () => {
    const silent = createTcpServer((socket) => socket.on("error", () => undefined).resume());
    const settings = { keepAliveMs: 20, keepAliveTimeoutMs: 20 };
    const client = await clientOf(stack, greeting, { url: await urlOf(silent), settings });
    expect((await caught(hello(client, "x"))).code).toBe("UNAVAILABLE");
  });

  test.each(["identity", "deflate", "gzip"])("compresses requests with %s for every server of gRPC", async (set) => {
    for (const server of ["grpc-connect-node", "grpc-js", "grpc-node-http2"]) {
      // oxlint-disable-next-line no-await-in-loop
      const { client } = await pairOf(`${server}+connect-node`, greeting, {
        connect: { settings: { requestCompression: set } },
      });
      // oxlint-disable-next-line no-await-in-loop
      expect(await hello(client, "x".repeat(100))).toBe(`Hello, ${"x".repeat(100)}!`);
    }
  });

  test("refuses text with half a surrogate pair, which the library would replace", async () => {
    const { client } = await pairOf(stack, greeting);
    expect(await caught(hello(client, "\uD800"))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("half a surrogate pair") as string,
    });
    expect(await hello(client, "next")).toBe("Hello, next!");
  });
});

const name = Buffer.from([0x0a, 1, 0x78]);

/** The frames of headers of one call, in their order. */
async function framesOf(
  headers: IncomingHttpHeaders,
  body: Buffer,
  service = greeting,
): Promise<readonly IncomingHttpHeaders[]> {
  const { server } = await pairOf(stack, service);
  const session = connect(server.url);
  onTestFinished(() => session.destroy());
  const path = "/roundtrip.v1.HelloService/SayHello";
  const common = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...common, ...headers });
  const frames: IncomingHttpHeaders[] = [];
  stream.on("response", (one) => frames.push(one)).on("trailers", (one) => frames.push(one));
  stream.resume().end(body);
  await once(stream, "close");
  return frames;
}

describe("the server", () => {
  test.each([
    ["a call", {}, framed(name), { "grpc-status": "0" }],
    ["another method", { ":method": "PUT" }, framed(name), { ":status": 405, allow: "POST" }],
    ["another content type", { "content-type": "application/grpc-web" }, framed(name), { ":status": 415 }],
    ["an invalid host", { ":authority": "a:99999" }, framed(name), { "grpc-status": "3" }],
    ["an unknown path", { ":path": "/x" }, framed(name), { ":status": 200, "grpc-status": "12" }],
    ["a malformed deadline", { "grpc-timeout": "1s" }, framed(name), { "grpc-status": "3" }],
    ["a deadline in the past", { "grpc-timeout": "0m" }, framed(name), { "grpc-status": "4" }],
    ["half a request", {}, framed(name).subarray(0, 7), { "grpc-status": "3" }],
    ["an invalid message", {}, framed(Buffer.of(0x0a, 0x7f)), { "grpc-status": "13" }],
    ["a compressed request", { "grpc-encoding": "deflate" }, framed(deflateSync(name), 1), { "grpc-status": "0" }],
  ])("answers %s", async (_what, headers, body, expected) => {
    const frames = await framesOf(headers, body);
    expect(Object.assign({}, ...frames)).toMatchObject(expected);
  });

  test("sends an error with its metadata in one frame of headers", async () => {
    const service = helloService((_request, { answerMetadata }) => {
      answerMetadata.set("x-cost", "3");
      throw new CallError("ABORTED", "no #1");
    });
    expect(await framesOf({}, framed(name), service)).toEqual([
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
    expect(await all(streamed(client, upload, requests))).toHaveLength(1);
    const tooLarge = [{ index: 0, data: new Uint8Array(8 * 2 ** 20) }];
    expect((await caught(all(streamed(client, upload, tooLarge)))).code).toBe("RESOURCE_EXHAUSTED");
    await server.close();
  });

  test("does not compress answers, whatever the caller accepts", async () => {
    const long = helloService(() => "x".repeat(10_000));
    const frames = await framesOf({ "grpc-accept-encoding": "gzip" }, framed(name), long);
    expect(Object.assign({}, ...frames)).toMatchObject({ "grpc-status": "0" });
  });
});
