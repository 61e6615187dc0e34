// What travels beside the messages over gRPC: in both directions, as text and as bytes, with answers and with errors.
import { create } from "@bufbuild/protobuf";
import { credentials, Client as GrpcClient, Metadata as GrpcMetadata } from "@grpc/grpc-js";
import type { CallContext, Metadata } from "@roundtrip/contract";
import { DownloadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { createServer } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { caught, clientOf, grpcStack, hello, helloService, pairOf } from "./support/pair.ts";
import { all, conformanceService, methods, streamed } from "./support/streams.ts";

const { download } = methods;

/** Answers with what the request said in these names. */
function echoing(...names: readonly string[]): ReturnType<typeof helloService> {
  return helloService((_request, { metadata }) => JSON.stringify(names.map((name) => metadata.get(name))));
}

function answering(...entries: readonly (readonly [string, string])[]): (context: CallContext) => void {
  return ({ answerMetadata }) => {
    for (const [name, value] of entries) answerMetadata.set(name, value);
  };
}

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
