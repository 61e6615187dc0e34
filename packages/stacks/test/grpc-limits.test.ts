// What a gRPC server makes of messages that are too large, broken or compressed to deceive, and of errors with a lot to say. Requests
// are sent as bytes, over bare HTTP/2, as no client of gRPC would.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import {
  EchoRequestSchema,
  UploadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { type Tree, TreeSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/values_pb";
import { framed } from "@roundtrip/styles/grpc/server";
import type { IncomingHttpHeaders } from "node:http2";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { caught, grpcStack, hello, helloService, pairOf } from "./support/pair.ts";
import { bareCall } from "./support/wire.ts";
import { conformanceService, methods } from "./support/streams.ts";
import { credentials, Client as GrpcClient, Metadata as GrpcMetadata } from "@grpc/grpc-js";

const { echo } = methods;

const grpcStatus = { INVALID_ARGUMENT: "3", RESOURCE_EXHAUSTED: "8", UNIMPLEMENTED: "12", INTERNAL: "13", OK: "0" };

/** A message that says so and is compressed. */
function packed(message: Uint8Array): Buffer {
  return Buffer.from(framed(message)).fill(1, 0, 1);
}

/** The status of a call with these bytes as its body. */
function statusOf(url: string, path: string, body: Uint8Array, headers: IncomingHttpHeaders = {}): Promise<string> {
  const stream = bareCall(url, path, headers);
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
  const bomb = packed(gzipSync(Buffer.alloc(50 * 1024 * 1024)));
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

test("names that another client sent several times are joined, bytes too", async () => {
  const { server } = await pairOf(
    grpcStack,
    helloService((_request, { metadata }) => JSON.stringify(["x-many", "many-bin"].map((name) => metadata.get(name)))),
  );
  const other = new GrpcClient(new URL(server.url).host, credentials.createInsecure());
  onTestFinished(() => other.close());
  const metadata = new GrpcMetadata();
  for (const value of ["one", "two"]) metadata.add("x-many", value);
  for (const value of [[1], [2, 3]]) metadata.add("many-bin", Buffer.from(value));
  const path = "/roundtrip.v1.HelloService/SayHello";
  const answer = await new Promise<Buffer>((resolve, reject) => {
    other.makeUnaryRequest(
      path,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => bytes,
      // A name, which the contract's rules ask for.
      Buffer.from([0x0a, 1, 0x78]),
      metadata,
      (error, value) => (error === null ? resolve(value as Buffer) : reject(error)),
    );
  });
  expect(answer.toString("utf8")).toContain('["one, two","AQ, AgM"]');
});
