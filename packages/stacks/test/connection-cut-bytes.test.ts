// What is on the wire of answers whose connection is cut, byte by byte: a beginning, and nothing that ends it.
import { create, toBinary } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { ConnectionCut } from "@roundtrip/contract";
import { DownloadRequestSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { DeleteCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { once } from "node:events";
import { connect } from "node:http2";
import { describe, expect, test } from "vitest";
import { caught, contract, graphqlStack, grpcStack, pairOf, restStack } from "./support/pair.ts";
import { cutting, streamingService } from "./support/cutting.ts";
import { graphqlPost } from "./support/graphql-post.ts";
import { type RawAnswer, spokenTo } from "./support/wire.ts";
import { item, operationNamed } from "./support/streams.ts";

/** What comes of a call on a connection of its own until that is closed, byte by byte: over HTTP/2, without a gRPC client. */
async function bytesOfCall(url: string, path: string, request: Uint8Array): Promise<Buffer> {
  const session = connect(url);
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => {});
  stream.end(Buffer.concat([Uint8Array.of(0, 0, 0, 0, request.length), request]));
  await once(session, "close");
  return Buffer.concat(chunks);
}

describe("over gRPC", () => {
  test("all messages before the cut are out, in their order, and the first half of the next one", async () => {
    const { server } = await pairOf(grpcStack, streamingService("truncate"));
    const { input, output, method } = operationNamed("Download");
    const request = create(DownloadRequestSchema, { count: 10, sizeBytes: 30_000 });
    const path = `/${method.parent.typeName}/${method.name}`;
    const bytes = await bytesOfCall(server.url, path, toBinary(input, request));
    const data = new Uint8Array(30_000).fill(7);
    const messages = Array.from({ length: 11 }, (_, index) => toBinary(output, item({ index, data })));
    const frames = messages.map((message) => {
      const frame = Buffer.alloc(5 + message.length);
      frame.writeUInt32BE(message.length, 1);
      frame.set(message, 5);
      return frame;
    });
    const whole = Buffer.concat(frames);
    expect(bytes.length).toBe(whole.length - Math.ceil((frames.at(-1)?.length ?? 0) / 2));
    expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true);
  });
});

/** A request for a greeting. */
function get(name: string): string {
  return `GET /v1/hello?name=${name} HTTP/1.1\r\nHost: x\r\n\r\n`;
}

describe("over HTTP/1.1", () => {
  test("no byte of a dropped answer is sent", async () => {
    const { server } = await pairOf(restStack, cutting().service);
    expect(await spokenTo(server.url, get("drop"))).toMatchObject({ head: "", body: "" });
  });

  test("an answer that is cut has the headers of the whole answer, and its first half", async () => {
    const { server } = await pairOf(restStack, cutting().service);
    const whole = JSON.stringify({ message: "Hello, truncate!" });
    const { status, head, body } = await spokenTo(server.url, get("truncate"));
    expect(status).toBe(200);
    expect(head.toLowerCase()).toContain(`content-length: ${whole.length}`);
    expect(body).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  });

  test("an answer without a body, as 204 is one, is cut in its head", async () => {
    const remove = contract.operation("roundtrip.v1.CustomerService.DeleteCustomer");
    const service = serviceOf(
      contract,
      new Map([
        [
          remove.id,
          () => {
            throw new ConnectionCut(create(EmptySchema));
          },
        ],
      ]),
    );
    const { server, client } = await pairOf(restStack, service);
    const { head } = await spokenTo(server.url, "DELETE /v1/customers/1 HTTP/1.1\r\nHost: x\r\n\r\n");
    expect(head).toBe("HTTP/1.1 ");
    const { code } = await caught(client.prepare(remove)(create(DeleteCustomerRequestSchema, { id: 1 })));
    expect(code).toBe("UNAVAILABLE");
  });

  test.each(["application/x-ndjson", "text/event-stream"])(
    "a stream as %s has the first half of its last message, and no end",
    async (type) => {
      const { server } = await pairOf(restStack, streamingService("truncate"));
      const request = `GET /v1/items?count=1&sizeBytes=3 HTTP/1.1\r\nHost: x\r\nAccept: ${type}\r\n\r\n`;
      const { status, body } = await spokenTo(server.url, request);
      expect(status).toBe(200);
      expect(body).toContain("BwcH");
      expect(body).not.toMatch(/\r\n0\r\n|error|end/);
    },
  );
});

/** What comes of a request that asks for events, until its connection is closed. */
async function eventsOf(url: string, query: string): Promise<RawAnswer> {
  const type = "Accept: text/event-stream\r\nContent-Type: application/json";
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: x\r\n${type}\r\nContent-Length: ${query.length}`;
  return await spokenTo(url, `${head}\r\n\r\n${query}`);
}

describe("a GraphQL document", () => {
  test("that asks for a stream has the first half of its last event, and no error", async () => {
    const { server } = await pairOf(graphqlStack, streamingService("truncate"));
    const query = JSON.stringify({ query: "subscription { download(count: 1, sizeBytes: 3) { data } }" });
    const { status, body } = await eventsOf(server.url, query);
    expect(status).toBe(200);
    expect(body.split("event: next")).toHaveLength(3);
    expect(body).not.toMatch(/UNAVAILABLE|complete/);
  });

  test("is cut as an event stream too, before anybody could take it for whole", async () => {
    const { server } = await pairOf(graphqlStack, cutting().service);
    const query = JSON.stringify({ query: `{ sayHello(name: "truncate") { message } }` });
    const answered = await eventsOf(server.url, query);
    expect(answered.status).toBe(200);
    expect(answered.body).not.toContain("complete");
    expect(answered.body).not.toContain("Hello, truncate!");
    await expect(graphqlPost(server, { query: `{ sayHello(name: "drop") { message } }` })).rejects.toThrow(
      "fetch failed",
    );
  });
});
