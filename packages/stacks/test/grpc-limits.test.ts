// What a gRPC server makes of messages that are too large, broken or compressed to deceive, and of errors with a lot to say. Requests
// are sent as bytes, over bare HTTP/2, as no client of gRPC would.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  EchoRequestSchema,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { type Tree, TreeSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { caught, grpcStack, hello, helloService, pairOf } from "./support/pair.ts";
import { conformanceService, methods } from "./support/streams.ts";

const { echo } = methods;

const grpcStatus = { INVALID_ARGUMENT: "3", RESOURCE_EXHAUSTED: "8", UNIMPLEMENTED: "12", INTERNAL: "13", OK: "0" };

/** A message as gRPC frames it. */
function framed(message: Uint8Array, compressed = false): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed ? 1 : 0);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** The status of a call with these bytes as its body. */
async function statusOf(
  url: string,
  path: string,
  body: Uint8Array,
  headers: IncomingHttpHeaders = {},
): Promise<string> {
  const session = connect(url);
  onTestFinished(() => session.destroy());
  const common = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
  const stream = session.request({ ...common, ...headers });
  return new Promise((resolve, reject) => {
    const look = (received: IncomingHttpHeaders): void => {
      const status = received["grpc-status"];
      if (status !== undefined) resolve(String(status));
    };
    stream.on("response", look);
    stream.on("trailers", look);
    stream.on("error", reject);
    stream.resume();
    stream.end(body);
  });
}

/** The codes that libraries have for a request that gRPC gives no code. */
function allowed(code: keyof typeof grpcStatus | "unreadable" | "cut short"): readonly (keyof typeof grpcStatus)[] {
  // INTERNAL is for a fault of either end.
  if (code === "unreadable") return ["INTERNAL", "INVALID_ARGUMENT"];
  // No request where one is required, or a malformed one.
  return code === "cut short" ? ["UNIMPLEMENTED", "INVALID_ARGUMENT"] : [code];
}

const sayHello = "/roundtrip.v1.HelloService/SayHello";
const named = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([0x0a, bytes.length]), bytes]);
const world = named(Buffer.from("World"));

describe("a request is judged before its handler is asked:", () => {
  test.each([
    ["a whole one", framed(world), {}, "OK"],
    ["text that is no UTF-8", framed(named(Buffer.from([0xc3, 0x28]))), {}, "unreadable"],
    ["a message that is cut short", framed(Buffer.from([0x0a, 5, 0x61])), {}, "unreadable"],
    ["a frame that is cut short", framed(world).subarray(0, 8), {}, "cut short"],
    ["no message", Buffer.alloc(0), {}, "UNIMPLEMENTED"],
    ["two messages", Buffer.concat([framed(world), framed(world)]), {}, "UNIMPLEMENTED"],
    ["a compressed one", framed(gzipSync(world), true), { "grpc-encoding": "gzip" }, "OK"],
    ["a broken compressed one", framed(Buffer.from("no gzip"), true), { "grpc-encoding": "gzip" }, "unreadable"],
    ["an unknown compression", framed(world, true), { "grpc-encoding": "zstd" }, "UNIMPLEMENTED"],
  ] as const)("%s", async (_what, body, headers, code) => {
    const { server, client } = await pairOf(
      grpcStack,
      helloService(({ name }) => name),
    );
    expect(allowed(code).map((one) => grpcStatus[one])).toContain(await statusOf(server.url, sayHello, body, headers));
    expect(await hello(client, "next")).toBe("next");
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
  const { server } = await pairOf(grpcStack, service);
  const path = "/roundtrip.conformance.v1.ConformanceService/Upload";
  const body = Buffer.concat([framed(Buffer.from([8, 1])), framed(Buffer.from([8, 2]))]);
  expect(await statusOf(server.url, path, body)).toBe(grpcStatus.OK);
  expect(await statusOf(server.url, path, body.subarray(0, -1))).toBe(grpcStatus.INVALID_ARGUMENT);
  expect(await statusOf(server.url, path, body.subarray(0, -4))).toBe(grpcStatus.INVALID_ARGUMENT);
  expect(count).toBe(4);
});

test("what decompresses to more than the limit is refused, however small it came", async () => {
  const { server, client } = await pairOf(
    grpcStack,
    helloService(({ name }) => String(name.length)),
    { serve: { maxMessageBytes: 100_000 } },
  );
  const bomb = framed(gzipSync(Buffer.alloc(50 * 1024 * 1024)), true);
  expect(bomb.length).toBeLessThan(100_000);
  const headers = { "grpc-encoding": "gzip" };
  expect(await statusOf(server.url, sayHello, bomb, headers)).toBe(grpcStatus.RESOURCE_EXHAUSTED);
  expect(await hello(client, "next")).toBe("4");
});

function tree(levels: number): Tree {
  let grown = create(TreeSchema, { label: "leaf" });
  for (let level = 1; level < levels; level += 1) grown = create(TreeSchema, { only: grown });
  return grown;
}

/** An echo request of messages within messages: the request, its values, and the trees in them. */
function nested(levels: number): Buffer {
  return framed(toBinary(EchoRequestSchema, create(EchoRequestSchema, { values: { tree: tree(levels - 2) } })));
}

test("messages within messages are read to a depth of a hundred, and refused beyond", async () => {
  const { server } = await pairOf(
    grpcStack,
    conformanceService({ echo: ({ values }) => create(echo.output, { values }) }),
  );
  const path = "/roundtrip.conformance.v1.ConformanceService/Echo";
  expect(await statusOf(server.url, path, nested(100))).toBe(grpcStatus.OK);
  expect(allowed("unreadable").map((code) => grpcStatus[code])).toContain(
    await statusOf(server.url, path, nested(101)),
  );
});

test.each(["größer – 世界 👋", "100 % of a%20b", "a\nb\tc", "#?&=+/", ""])(
  "%j arrives as an error's message",
  async (text) => {
    const service = helloService(() => {
      throw new CallError("ABORTED", text);
    });
    const { client } = await pairOf(grpcStack, service);
    expect((await caught(hello(client, "x"))).message).toBe(text);
  },
);

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
  expect(error.message).toBe("👋".repeat(250));
  // Half of them, and half of those, and so on until they fit.
  expect(error.details.violations).toEqual(violations.slice(0, 125));
});

test("metadata of an error that is too large is left out before its reason is", async () => {
  const service = helloService(() => {
    throw new CallError("ABORTED", "no", { reason: "WHY", domain: "test", metadata: { long: "x".repeat(20_000) } });
  });
  const { client } = await pairOf(grpcStack, service);
  const { code, details } = await caught(hello(client, "x"));
  expect([code, details.reason, details.metadata]).toEqual(["ABORTED", "WHY", {}]);
});
