// What travels beside the messages over gRPC: in both directions, as text and as bytes, with answers and with errors.
import { create } from "@bufbuild/protobuf";
import { Client as GrpcClient, credentials, Metadata as GrpcMetadata } from "@grpc/grpc-js";
import { CallError, type CallContext, type Metadata } from "@roundtrip/contract";
import {
  ConverseResponseSchema,
  DownloadResponseSchema,
} from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { caught } from "./support/caught.ts";
import { all, conformanceService, converse, download, streamed } from "./support/conformance-service.ts";
import { hello, helloService } from "./support/hello.ts";
import { clientOf, pairOf } from "./support/pair.ts";
import { grpcStack } from "./support/stacks-under-test.ts";

/** Answers with what the request said in these names. */
function echoing(...names: readonly string[]): ReturnType<typeof helloService> {
  return helloService((_request, { metadata }) => JSON.stringify(names.map((name) => metadata.get(name))));
}

function answering(...entries: readonly (readonly [string, string])[]): (context: CallContext) => void {
  return ({ answerMetadata }) => {
    for (const [name, value] of entries) answerMetadata.set(name, value);
  };
}

test("a handler reads what the caller sent, bytes as base64 without padding", async () => {
  const { client } = await pairOf(grpcStack, echoing("x-tenant", "trace-bin", "empty", "x-none"));
  const metadata = new Map([
    ["x-tenant", "a, b,c"],
    ["trace-bin", "AAEC/w=="],
    ["empty", ""],
  ]);
  expect(JSON.parse(await hello(client, "x", { metadata }))).toEqual(["a, b,c", "AAEC/w", "", null]);
});

test("names that another client sent several times are joined, bytes too", async () => {
  const { server } = await pairOf(grpcStack, echoing("x-many", "many-bin"));
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

test.each([
  ["X-Tenant", "blue"],
  ["grpc-timeout", "1S"],
  ["x-tenant", "blau\r\n"],
  ["trace-bin", "no base64!"],
])("%s: %s is refused and not sent", async (name, value) => {
  const { client } = await pairOf(grpcStack, echoing());
  expect((await caught(hello(client, "x", { metadata: new Map([[name, value]]) }))).code).toBe("INVALID_ARGUMENT");
  const stream = streamed(client, converse, [], { metadata: new Map([[name, value]]) });
  expect((await caught(all(stream))).code).toBe("INVALID_ARGUMENT");
});

test("a caller receives the metadata of an answer and of an error, once, without names that belong to gRPC", async () => {
  const service = helloService(({ name }, context) => {
    answering(["x-cost", "3"], ["trace-bin", "AAEC/w"])(context);
    if (name === "fail") throw new CallError("ABORTED", "no", { reason: "WHY", domain: "test" });
    return name;
  });
  const { client } = await pairOf(grpcStack, service);
  const sent = new Map([
    ["x-cost", "3"],
    ["trace-bin", "AAEC/w"],
  ]);
  const onMetadata = vi.fn<(metadata: Metadata) => void>();
  await hello(client, "x", { onMetadata });
  expect(onMetadata.mock.calls).toEqual([[sent]]);
  const { code, details } = await caught(hello(client, "fail", { onMetadata }));
  expect([code, details.reason]).toEqual(["ABORTED", "WHY"]);
  expect(onMetadata.mock.calls).toEqual([[sent], [sent]]);
});

test("a caller receives empty metadata of an answer without any, and none when no server answered", async () => {
  const { server, client } = await pairOf(grpcStack, echoing());
  const onMetadata = vi.fn<(metadata: Metadata) => void>();
  await hello(client, "x", { onMetadata });
  expect(onMetadata.mock.calls).toEqual([[new Map()]]);
  onMetadata.mockClear();
  const unused = createServer().listen(0);
  const { port } = unused.address() as { readonly port: number };
  await new Promise((resolve) => unused.close(resolve));
  const nobody = await clientOf(grpcStack, echoing(), { url: server.url.replace(/\d+$/, String(port)) });
  expect((await caught(hello(nobody, "x", { onMetadata }))).code).toBe("UNAVAILABLE");
  expect(onMetadata).not.toHaveBeenCalled();
});

test("metadata that a style could not carry is the handler's fault, and its text stays on the server", async () => {
  const service = helloService((_request, context) => {
    answering(["x-secret", "a\nb"])(context);
    return "x";
  });
  const { client } = await pairOf(grpcStack, service);
  const { code, message } = await caught(hello(client, "x"));
  expect([code, message]).toEqual(["INTERNAL", "internal error"]);
});

test("a stream carries metadata both ways: with its first answer, or with its error", async () => {
  const service = conformanceService({
    async *converse(requests, context) {
      for await (const { text } of requests) {
        answering(["x-heard", `${context.metadata.get("x-said")} ${text}`])(context);
        yield create(ConverseResponseSchema, { text });
      }
      throw new CallError("ABORTED", "no more");
    },
    // oxlint-disable-next-line require-yield
    async *download(_request, context) {
      answering(["x-heard", "error"])(context);
      throw new CallError("ABORTED", "none");
    },
  });
  const { client } = await pairOf(grpcStack, service);
  const onMetadata = vi.fn<(metadata: Metadata) => void>();
  const metadata = new Map([["x-said", "hi"]]);
  const call = all(streamed(client, converse, [{ text: "1" }, { text: "2" }], { metadata, onMetadata }));
  expect((await caught(call)).code).toBe("ABORTED");
  expect(onMetadata.mock.calls).toEqual([[new Map([["x-heard", "hi 1"]])]]);
  onMetadata.mockClear();
  expect((await caught(all(streamed(client, download, [{}], { onMetadata })))).code).toBe("ABORTED");
  expect(onMetadata.mock.calls).toEqual([[new Map([["x-heard", "error"]])]]);
});

test("a stream without answers carries metadata too", async () => {
  const service = conformanceService({
    async *download({ count }, context) {
      answering(["x-heard", "nothing"])(context);
      if (count > 0) yield create(DownloadResponseSchema);
    },
  });
  const { client } = await pairOf(grpcStack, service);
  const onMetadata = vi.fn<(metadata: Metadata) => void>();
  expect(await all(streamed(client, download, [{ count: 0 }], { onMetadata }))).toEqual([]);
  expect(onMetadata.mock.calls).toEqual([[new Map([["x-heard", "nothing"]])]]);
});
