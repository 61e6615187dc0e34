// A service may have a connection closed in place of an answer: before it, or in its middle. Callers see UNAVAILABLE, and never a part of an answer that they
// take for one. On the wire there is a beginning, and nothing that ends it.
import { create, type Message, toBinary } from "@bufbuild/protobuf";
import { CallError, type Client, ConnectionCut, type Service } from "@roundtrip/contract";
import { SayHelloRequestSchema, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import {
  caught,
  clientOf,
  contract,
  graphqlStack,
  grpcStack,
  hello,
  helloService,
  pairOf,
  restStack,
  sayHello,
  stacksUnderTest,
} from "./support/pair.ts";
import { bareCall, clientSockets, countingRelay, type RawAnswer, spokenTo } from "./support/wire.ts";
import { conformanceService, download, item, operationNamed, upload } from "./support/streams.ts";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { DownloadRequestSchema } from "@roundtrip/conformance/gen/roundtrip/conformance/v1/conformance_pb";
import { DeleteCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { serviceOf } from "@roundtrip/contract/service";
import { framed } from "@roundtrip/styles/grpc/server";
import { graphqlPost } from "./support/graphql-post.ts";

/** Names that {@link cutting} has the connection cut for. */
const cutNames = ["drop", "drop later", "truncate", "truncate later"];

function answer(message: string): Message {
  return create(SayHelloResponseSchema, { message });
}

/** Greets, but for "drop" and "truncate", at once or, with "later" in the name, after a turn of the event loop. */
function cutting(long = ""): { readonly service: Service; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const answerTo = (name: string): string => {
    if (name.startsWith("drop")) throw new ConnectionCut();
    if (name.startsWith("truncate")) throw new ConnectionCut(answer(`Hello, ${name}!${long}`));
    return `Hello, ${name}!`;
  };
  const service = helloService(({ name }) => {
    asked.push(name);
    return name.endsWith("later") ? new Promise(setImmediate).then(() => answerTo(name)) : answerTo(name);
  });
  return { service, asked };
}

/** Sends so many items of so many bytes, then has the connection cut in the middle of another, or without one. */
function streamingService(kind: "drop" | "truncate"): Service {
  return conformanceService({
    async *download({ count, sizeBytes }) {
      const data = new Uint8Array(sizeBytes).fill(7);
      for (let index = 0; index < count; index += 1) {
        await new Promise(setImmediate);
        yield item({ index, data });
      }
      throw kind === "drop" ? new ConnectionCut() : new ConnectionCut(item({ index: count, data }));
    },
    upload: async (requests) => {
      await Array.fromAsync(requests);
      throw kind === "drop" ? new ConnectionCut() : new ConnectionCut(create(operationNamed("Upload").output));
    },
  });
}

async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, "close");
}

describe.each(stacksUnderTest())("$name", ({ name: stackName }) => {
  test.each(cutNames)(
    "a call whose connection is cut is UNAVAILABLE, asked once, and the next call gets through: %s",
    async (name) => {
      for (const tls of [false, true]) {
        const { service, asked } = cutting();
        const { client } = await pairOf(stackName, service, { tls });
        expect(await hello(client, "Ada")).toBe("Hello, Ada!");
        const { code } = await caught(hello(client, name));
        expect(code).toBe("UNAVAILABLE");
        expect(await hello(client, "Bob")).toBe("Hello, Bob!");
        expect(asked).toEqual(["Ada", name, "Bob"]);
      }
    },
  );

  test.each(cutNames)("the TCP connection is closed, on the first call too: %s", async (name) => {
    const { server, client } = await pairOf(stackName, cutting().service);
    const sockets = clientSockets(server.url);
    await caught(hello(client, name));
    const before = [...sockets];
    expect(before).toHaveLength(1);
    await Promise.all(before.map(closed));
    await hello(client, "Ada");
    expect(sockets.size).toBe(2);
  });

  test.each(["truncate", "truncate later"])("a part of a long answer has been on the wire: %s", async (name) => {
    const long = "x".repeat(20_000);
    const { server } = await pairOf(stackName, cutting(long).service);
    const relay = await countingRelay(server.url);
    const client = await clientOf(stackName, cutting().service, { url: relay.url });
    expect((await caught(hello(client, name))).code).toBe("UNAVAILABLE");
    expect(relay.toClient).toBeGreaterThan(9_000);
    expect(relay.toClient).toBeLessThan(15_000);
  });

  test.each(["at once", "later"])(
    "an answer that cannot be written is cut all the same, and the server lives: %s",
    async (when) => {
      const unwritable = create(SayHelloResponseSchema, { message: 5 as unknown as string });
      const service = helloService(({ name }) => {
        if (name === "Ada") return "Hello, Ada!";
        if (when === "at once") throw new ConnectionCut(unwritable);
        return Promise.reject(new ConnectionCut(unwritable));
      });
      const { client } = await pairOf(stackName, service);
      expect((await caught(hello(client, "x"))).code).toBe("UNAVAILABLE");
      expect(await hello(client, "Ada")).toBe("Hello, Ada!");
    },
  );

  test("a server with cut connections closes at once", async () => {
    const { server, client } = await pairOf(stackName, cutting().service, { serve: { shutdownGraceMs: 30_000 } });
    for (const name of cutNames) await caught(hello(client, name));
    await client.close();
    await server.close();
    expect((await caught(hello(await clientOf(stackName, cutting().service, server), "x"))).code).toBe("UNAVAILABLE");
  });
});

/** The messages that a stream gave, and the code that it ended with. */
async function readAll(messages: AsyncIterable<{ readonly data: Uint8Array }>) {
  const bytes: number[] = [];
  try {
    for await (const { data } of messages) bytes.push(...data);
  } catch (thrown) {
    return { bytes, code: CallError.from(thrown).code };
  }
  return { bytes, code: "OK" };
}

const loaded = await Promise.all(stacksUnderTest().map(({ name }) => loadStack(name)));
const streaming = loaded
  .filter(({ role, limitations }) => role === "style" && !limitations.some(({ feature }) => feature === "serverStream"))
  .map(({ name }) => name);

describe.each(streaming)("a stream over %s", (stackName) => {
  test.each(["drop", "truncate"] as const)(
    "that is cut ends as UNAVAILABLE, and no part of a message is read: %s",
    async (kind) => {
      for (const tls of [false, true]) {
        for (const count of [0, 1, 3]) {
          const { client } = await pairOf(stackName, streamingService(kind), { tls });
          const { bytes, code } = await readAll(download(client, { count, sizeBytes: 1_000 }));
          expect(code).toBe("UNAVAILABLE");
          expect(bytes.length % 1_000).toBe(0);
          expect(bytes.length).toBeLessThanOrEqual(count * 1_000);
        }
      }
    },
  );
});

describe.each([grpcStack, restStack])("a stream of requests over %s", (stackName) => {
  test.each(["drop", "truncate"] as const)("whose answer is cut is UNAVAILABLE: %s", async (kind) => {
    const { client } = await pairOf(stackName, streamingService(kind));
    expect((await caught(upload(client, [{ index: 1 }, { index: 2 }]))).code).toBe("UNAVAILABLE");
  });
});

describe("over gRPC", () => {
  test("calls beside the one that is cut are UNAVAILABLE with it: they share its connection", async () => {
    const { service } = cutting();
    const slow: Service = {
      ...service,
      async call(...asked) {
        const [, request] = asked;
        if ((request as unknown as { readonly name: string }).name === "Ada") await new Promise(() => {});
        return await service.call(...asked);
      },
    };
    const { client } = await pairOf(grpcStack, slow);
    const beside = caught(hello(client, "Ada"));
    await caught(hello(client, "drop later"));
    expect((await beside).code).toBe("UNAVAILABLE");
  });
});

/** Asks for greetings in one document. */
async function together(client: Client, ...names: readonly string[]): Promise<string> {
  const invoke = client.prepareTogether(names.map(() => sayHello));
  const answers = await invoke(names.map((name) => create(SayHelloRequestSchema, { name })));
  return JSON.stringify(answers);
}

describe("a GraphQL document with several fields", () => {
  test.each(cutNames)("is UNAVAILABLE as a whole when one of them is cut: %s", async (name) => {
    const { service, asked } = cutting();
    const { client } = await pairOf(graphqlStack, service);
    for (const names of [
      ["Ada", name],
      [name, "Bob later"],
      [name, name],
    ]) {
      expect((await caught(together(client, ...names))).code).toBe("UNAVAILABLE");
    }
    expect(await together(client, "Ada", "Bob later")).toContain("Hello, Bob later!");
    expect(asked).toHaveLength(8);
  });
});

// What is on the wire of answers whose connection is cut, byte by byte: a beginning, and nothing that ends it.

describe("over gRPC", () => {
  test("all messages before the cut are out, in their order, and the first half of the next one", async () => {
    const { server } = await pairOf(grpcStack, streamingService("truncate"));
    const { input, output, method } = operationNamed("Download");
    const request = create(DownloadRequestSchema, { count: 10, sizeBytes: 30_000 });
    const path = `/${method.parent.typeName}/${method.name}`;
    const chunks: Buffer[] = [];
    const stream = bareCall(server.url, path)
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("error", () => {});
    stream.end(framed(toBinary(input, request)));
    await once(stream, "close");
    const bytes = Buffer.concat(chunks);
    const data = new Uint8Array(30_000).fill(7);
    const frames = Array.from({ length: 11 }, (_, index) => framed(toBinary(output, item({ index, data }))));
    const whole = Buffer.concat(frames);
    expect(bytes.length).toBe(whole.length - Math.ceil((frames.at(-1)?.length ?? 0) / 2));
    expect(bytes.equals(whole.subarray(0, bytes.length))).toBe(true);
  });
});

function cutEmpty(): never {
  throw new ConnectionCut(create(EmptySchema));
}

/** A request for a greeting. */
function get(name: string): string {
  return `GET /v1/hello?name=${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
}

describe("over HTTP/1.1", () => {
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
    const service = serviceOf(contract, new Map([[remove.id, cutEmpty]]));
    const { server, client } = await pairOf(restStack, service);
    const { head } = await spokenTo(server.url, "DELETE /v1/customers/1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(head).toBe("HTTP/1.1 ");
    const { code } = await caught(client.prepare(remove)(create(DeleteCustomerRequestSchema, { id: 1 })));
    expect(code).toBe("UNAVAILABLE");
  });

  test.each(["application/x-ndjson", "text/event-stream"])(
    "a stream as %s has the first half of its last message, and no end",
    async (type) => {
      const { server } = await pairOf(restStack, streamingService("truncate"));
      const request = `GET /v1/items?count=1&sizeBytes=3 HTTP/1.1\r\nHost: localhost\r\nAccept: ${type}\r\n\r\n`;
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
  const head = `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${query.length}`;
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
