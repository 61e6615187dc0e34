// Connect beyond the conformance cases: its encodings, protocols, versions of HTTP, GET and errors, as other clients and servers see them.
import { create, toBinary } from "@bufbuild/protobuf";
import { CallError, type Metadata } from "@roundtrip/contract";
import { SayHelloRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { UploadResponseSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { caught, clientOf, hello, helloService, pairOf, greeting } from "./support/pair.ts";
import { conformanceService, item, methods, streamed } from "./support/streams.ts";
import { answeringServer } from "./support/wire.ts";

const { download, upload } = methods;

const sayHello = "/roundtrip.v1.HelloService/SayHello";

const streaming = conformanceService({
  async upload(requests) {
    let count = 0;
    for await (const { index } of requests) count += index;
    return create(UploadResponseSchema, { count });
  },
  async *download({ count }) {
    for (let index = 0; index < count; index += 1) yield item({ index });
    if (count > 2) throw new CallError("ABORTED", "no more", { reason: "WHY", domain: "test" });
  },
});

/** The settings of both ends, and those of the client alone. */
const forms = [
  { stack: "connect-node", both: {}, client: { encoding: "json" } },
  { stack: "connect-node", both: {}, client: { encoding: "json", get: true } },
  { stack: "connect-node", both: {}, client: { get: true } },
  { stack: "connect-node", both: {}, client: { protocol: "grpc-web" } },
  { stack: "connect-node", both: {}, client: { requestCompression: "gzip" } },
  { stack: "connect-node", both: {}, client: { requestCompression: "br" } },
  { stack: "connect-node", both: { http: "2" }, client: {} },
  { stack: "connect-node", both: { http: "2" }, client: { encoding: "json" } },
  { stack: "connect-node", both: { http: "2" }, client: { protocol: "grpc-web" } },
  { stack: "connect-node+fetch", both: {}, client: { encoding: "json" } },
  { stack: "connect-node+fetch", both: {}, client: { encoding: "json", get: true } },
  { stack: "connect-node+fetch", both: {}, client: { get: true } },
];

describe.each(forms)("$stack with $both $client", ({ stack, both, client: own }) => {
  const options = { serve: { settings: both }, connect: { settings: { ...both, ...own } } };

  test.each([false, true])("calls are answered, with metadata and errors; over TLS: %s", async (tls) => {
    const service = helloService(({ name }, { metadata, answerMetadata }) => {
      answerMetadata.set("x-cost", "3");
      if (name === "fail") throw new CallError("ABORTED", "größer", { reason: "WHY", domain: "test" });
      return `${name} ${metadata.get("x-tenant")} ${metadata.get("trace-bin")}`;
    });
    const { client } = await pairOf(stack, service, { ...options, tls });
    const onMetadata = vi.fn<(metadata: Metadata) => void>();
    const metadata = new Map([
      ["x-tenant", "a, b"],
      ["trace-bin", "AAEC/w=="],
    ]);
    expect(await hello(client, "世界", { metadata, onMetadata })).toBe("世界 a, b AAEC/w");
    const error = await caught(hello(client, "fail", { onMetadata }));
    expect([error.code, error.message, error.details.reason]).toEqual(["ABORTED", "größer", "WHY"]);
    expect(onMetadata.mock.calls).toEqual([[new Map([["x-cost", "3"]])], [new Map([["x-cost", "3"]])]]);
  });

  test("streams in one direction are carried, with their errors", async () => {
    const { client } = await pairOf(stack, streaming, options);
    expect(await Array.fromAsync(streamed(client, upload, [{ index: 1 }, { index: 2 }]))).toMatchObject([{ count: 3 }]);
    expect(await Array.fromAsync(streamed(client, download, [{ count: 2 }]))).toMatchObject([
      { index: 0 },
      { index: 1 },
    ]);
    const error = await caught(Array.fromAsync(streamed(client, download, [{ count: 3 }])));
    expect([error.code, error.message, error.details.reason]).toEqual(["ABORTED", "no more", "WHY"]);
  });
});

test("fetch refuses HTTP/2, which it speaks over TLS only", async () => {
  const { server } = await pairOf("connect-node", greeting);
  const options = { url: server.url, settings: { http: "2" } };
  await expect(clientOf("connect-node+fetch", greeting, options)).rejects.toMatchObject({ code: "unusable-setting" });
});

const world = toBinary(SayHelloRequestSchema, create(SayHelloRequestSchema, { name: "World" }));

/** What the server answers to one request, as text. */
async function answerTo(path: string, init: RequestInit): Promise<readonly [status: number, body: string]> {
  const { server } = await pairOf("connect-node", greeting);
  const response = await fetch(server.url + path, init);
  return [response.status, await response.text()];
}

function post(
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return { method: "POST", headers: { "content-type": type, ...headers }, body };
}

const proto = "application/proto";
const json = "application/json";

describe("the server answers", () => {
  test.each([
    ["JSON", post(json, '{"name":"World"}'), 200, '{"message":"Hello, World!"}'],
    ["what is no JSON", post(json, "{"), 400, '"code":"invalid_argument"'],
    ["gzip", post(proto, new Uint8Array(gzipSync(world)), { "content-encoding": "gzip" }), 200, "Hello, World!"],
  ] as const)("%s", async (_what, init, status, body) => {
    const [answered, text] = await answerTo(sayHello, init);
    expect(answered).toBe(status);
    expect(text).toContain(body);
  });

  test("an unreadable request of a stream, at the end of the stream", async () => {
    const { server } = await pairOf("connect-node", streaming);
    const path = `/${download.parent.typeName}/${download.name}`;
    const body = Uint8Array.of(0, 0, 0, 0, 2, 0x0f, 0x7f);
    const response = await fetch(server.url + path, post("application/connect+proto", body));
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([response.status, bytes[0]]).toEqual([200, 2]);
    expect(new TextDecoder().decode(bytes.subarray(5))).toContain('"code":"internal"');
  });
});

/** The bytes of base64 that was written piece by piece. */
function bytesInText(text: string): Buffer {
  return Buffer.concat((text.match(/[^=]+={0,2}/g) ?? []).map((part) => Buffer.from(part, "base64")));
}

function framed(message: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([Buffer.of(0, 0, 0, 0, message.length), message]));
}

describe.each(["application/grpc-web-text", "application/grpc-web-text+proto"])("%s", (type) => {
  const path = `/${download.parent.typeName}/${download.name}`;

  test.each([2, 3])("carries a stream of %i messages in base64", async (count) => {
    const { server } = await pairOf("connect-node", streaming);
    const body = framed(toBinary(download.input, create(download.input, { count })));
    const plain = await fetch(server.url + path, post("application/grpc-web+proto", body));
    // Padding at the end of the header alone, which is a piece of its own.
    const text = `${Buffer.from(body.subarray(0, 5)).toString("base64")}${Buffer.from(body.subarray(5)).toString("base64")}`;
    const answer = await fetch(server.url + path, post(type, text));
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/grpc-web-text+proto"]);
    const bytes = bytesInText(await answer.text());
    expect(bytes).toEqual(Buffer.from(await plain.arrayBuffer()));
    expect(bytes.toString("latin1")).toContain(count > 2 ? "grpc-status: 10" : "grpc-status: 0");
  });

  test("carries one message, and refuses what is no message", async () => {
    expect(
      bytesInText((await answerTo(sayHello, post(type, Buffer.from(framed(world)).toString("base64"))))[1]).toString(),
    ).toMatch(/Hello, World!.*grpc-status: 0/s);
    const [status, refused] = await answerTo(sayHello, post(type, "AAAAAAIPfw=="));
    expect([status, bytesInText(refused).toString()]).toEqual([200, expect.stringMatching(/grpc-status: (?:3|13)/)]);
  });
});

/** The fetch client of a server that answers each call in this way. */
async function clientOfAnswers(answering: (response: ServerResponse) => void, settings = {}) {
  const url = await answeringServer(answering);
  return clientOf("connect-node+fetch", streaming, { url, settings });
}

const aborted = Buffer.from('{"code":"aborted","details":[{"type":"x","value":"%"},7]}');

describe("the client written from the specification", () => {
  const stream = { "content-type": "application/connect+proto" };

  test.each([
    ["a stream without an end", 200, stream, Buffer.alloc(0), "UNAVAILABLE"],
    ["half a message", 200, stream, Buffer.of(0, 0, 0, 0, 9, 1), "INTERNAL"],
    ["a message above the limit", 200, stream, Buffer.of(0, 0x7f, 0, 0, 0), "RESOURCE_EXHAUSTED"],
    ["a compressed message", 200, stream, Buffer.of(1, 0, 0, 0, 0), "INTERNAL"],
    ["an end that is no JSON", 200, stream, Buffer.of(2, 0, 0, 0, 1, 0x7b), "INTERNAL"],
    ["another media type", 200, { "content-type": "text/html" }, Buffer.from("<html>"), "UNKNOWN"],
    ["an error of Connect", 409, { "content-type": json }, aborted, "ABORTED"],
  ])("makes an error of %s", async (_what, status, headers, body, code) => {
    const client = await clientOfAnswers((response) => void response.writeHead(status, headers).end(body));
    expect((await caught(Array.fromAsync(streamed(client, download, [{}])))).code).toBe(code);
  });

  test("reports trailers of a stream with its headers", async () => {
    const end = Buffer.from('{"metadata":{"X-Cost":["3","4"]},"error":{"code":"canceled","message":"no"}}');
    const client = await clientOfAnswers(
      (response) =>
        void response
          .writeHead(200, { ...stream, "x-heard": "yes" })
          .end(Buffer.concat([Buffer.of(2, 0, 0, 0, end.length), end])),
    );
    const onMetadata = vi.fn<(metadata: Metadata) => void>();
    const error = await caught(Array.fromAsync(streamed(client, download, [{}], { onMetadata })));
    expect([error.code, error.message]).toEqual(["CANCELLED", "no"]);
    const [[metadata] = []] = onMetadata.mock.calls;
    expect([metadata?.get("x-heard"), metadata?.get("x-cost")]).toEqual(["yes", "3, 4"]);
  });
});
