// A service may have a connection closed in place of an answer: before it, or in its middle. Callers see UNAVAILABLE, and never a part of an
// answer that they take for one.
import { create } from "@bufbuild/protobuf";
import { CallError, type Client, ConnectionCut, type Service } from "@roundtrip/contract";
import { SayHelloRequestSchema, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { loadStack } from "../src/index.ts";
import {
  caught,
  clientOf,
  graphqlStack,
  grpcStack,
  hello,
  helloService,
  pairOf,
  restStack,
  sayHello,
  stacksUnderTest,
} from "./support/pair.ts";
import { clientSockets, countingRelay } from "./support/wire.ts";
import { cutNames, cutting, streamingService } from "./support/cutting.ts";
import { conformanceService, download, item, upload } from "./support/streams.ts";

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

  test("however short an answer is, it is not whole", async () => {
    const empty = create(SayHelloResponseSchema);
    const service = helloService(() => {
      throw new ConnectionCut(empty);
    });
    const { client } = await pairOf(stackName, service);
    expect((await caught(hello(client, "x"))).code).toBe("UNAVAILABLE");
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

  test("that is read message by message gives those before the cut", async () => {
    let goOn: (() => void) | undefined;
    const service = conformanceService({
      async *download() {
        yield item({ index: 0, data: Uint8Array.of(1) });
        await new Promise<void>((resolve) => (goOn = resolve));
        throw new ConnectionCut(item({ index: 1, data: Uint8Array.of(2) }));
      },
    });
    const { client } = await pairOf(stackName, service);
    const messages = download(client, {})[Symbol.asyncIterator]();
    expect(await messages.next()).toMatchObject({ value: { data: Uint8Array.of(1) } });
    goOn?.();
    await expect(messages.next()).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  test("with more before the cut than is under way at once loses no more than its end", async () => {
    const { client } = await pairOf(stackName, streamingService("truncate"));
    const { bytes, code } = await readAll(download(client, { count: 20, sizeBytes: 50_000 }));
    expect(code).toBe("UNAVAILABLE");
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.length).toBeLessThanOrEqual(20 * 50_000);
  });
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
