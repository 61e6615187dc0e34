// Connections that are not kept, and connections for one call: what either costs is counted, and no call fails of it.
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { connect as connectHttp2 } from "node:http2";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { clientSockets, tlsFront } from "./support/wire.ts";
import {
  clientOf,
  graphqlStack,
  grpcStack,
  hello,
  helloService,
  pairOf,
  restStack,
  stacksUnderTest,
} from "./support/pair.ts";
import { conformanceService, download, item } from "./support/streams.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);
const slowGreeting = helloService(async ({ name }) => {
  await new Promise((resolve) => setTimeout(resolve, name.length % 3));
  return `Hello, ${name}!`;
});

const calls = 4;

/** Calls one after the other. */
async function inTurn(client: Parameters<typeof hello>[0]): Promise<readonly string[]> {
  const answers: string[] = [];
  // oxlint-disable-next-line no-await-in-loop
  for (let call = 0; call < calls; call += 1) answers.push(await hello(client, `${call}`));
  return answers;
}

const expected = Array.from({ length: calls }, (_, call) => `Hello, ${call}!`);

const closingEnds = [
  { title: "a server that keeps none", serve: { settings: { keepAlive: false } }, connect: {} },
  { title: "a client that opens one for each", serve: {}, connect: { settings: { newConnectionPerCall: true } } },
];

describe.each(stacksUnderTest())("$name", ({ name: stack }) => {
  describe.each([false, true])("over TLS: %s", (tls) => {
    test("a connection carries one call after the other unless something is set", async () => {
      const sockets = clientSockets();
      const { client } = await pairOf(stack, greeting, { tls });
      expect(await inTurn(client)).toEqual(expected);
      expect(sockets.size).toBe(1);
    });

    test.each(closingEnds)(
      "$title: as many connections as calls, all answered, none left open",
      async ({ serve, connect }) => {
        const sockets = clientSockets();
        const { client } = await pairOf(stack, greeting, { tls, serve, connect });
        expect(await inTurn(client)).toEqual(expected);
        expect(sockets.size).toBe(calls);
        await vi.waitFor(() => expect([...sockets].filter(({ destroyed }) => !destroyed).length).toBe(0), 4_000);
      },
    );

    test.each(closingEnds)("$title: callers that share connections are all answered", async ({ serve, connect }) => {
      const { client } = await pairOf(stack, slowGreeting, { tls, serve, connect: { ...connect, connections: 2 } });
      const answers = await Promise.all(Array.from({ length: 5 }, () => inTurn(client)));
      expect(answers).toEqual(answers.map(() => expected));
    });
  });

  test("rejects a value that a connection setting does not have", async () => {
    const options = { serve: { settings: { keepAlive: "no" } } };
    await expect(pairOf(stack, greeting, options)).rejects.toMatchObject({ code: "unusable-setting" });
    const connect = { connect: { settings: { newConnectionPerCall: 1 } } };
    await expect(pairOf(stack, greeting, connect)).rejects.toMatchObject({ code: "unusable-setting" });
  });
});

describe.each([grpcStack, restStack, graphqlStack])("streams on %s", (stack) => {
  test.each(closingEnds)("$title: each stream comes to its end", async ({ serve, connect }) => {
    const service = conformanceService({
      async *download() {
        for (let index = 0; index < 5; index += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield item({ index });
        }
      },
    });
    const sockets = clientSockets();
    const { client } = await pairOf(stack, service, { serve, connect });
    for (let stream = 0; stream < 3; stream += 1) {
      const indexes: number[] = [];
      for await (const { index } of download(client, {})) indexes.push(index);
      expect(indexes).toEqual([0, 1, 2, 3, 4]);
    }
    expect(sockets.size).toBe(3);
  });
});

test("HTTP/1.1 announces the last answer with it, and closes", async () => {
  const { server } = await pairOf(restStack, greeting, { serve: { settings: { keepAlive: false } } });
  const { hostname, port } = new URL(server.url);
  const socket = connectTcp({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  socket.write("GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n");
  await once(socket, "end");
  expect(heard.toLowerCase()).toMatch(/^http\/1\.1 404 .*\r\nconnection: close\r\n/s);
});

test("HTTP/2 sends GOAWAY before the answer, and finishes what is under way", async () => {
  const { server } = await pairOf("grpc-js", slowGreeting, { serve: { settings: { keepAlive: false } } });
  const session = connectHttp2(server.url);
  onTestFinished(() => session.destroy());
  const heard: string[] = [];
  const path = "/roundtrip.v1.HelloService/SayHello";
  session.on("goaway", (code, lastStream) => heard.push(`goaway ${code} ${lastStream}`));
  const answered = ["x", "y"].map(async (name) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    stream.on("trailers", (trailers) => heard.push(`${name} ${trailers["grpc-status"] as string}`));
    stream.resume().end(Buffer.from([0, 0, 0, 0, 3, 0x0a, 1, name.charCodeAt(0)]));
    await once(stream, "close");
  });
  await Promise.all([...answered, once(session, "close")]);
  expect(heard[0]).toBe(`goaway 0 ${2 ** 31 - 1}`);
  expect(heard).toContain("x 0");
  expect(heard).toContain("y 0");
});

test("clients notice an announced end before the next call, however soon the server closes the connection", async () => {
  // The shortest time that a server can announce: it has passed for a client that subtracts the transit time.
  const { createServer } = await import("node:http");
  const server = createServer((_request, response) => {
    response
      .setHeader("connection", "keep-alive")
      .setHeader("keep-alive", "timeout=1")
      .end(JSON.stringify({ message: "hi" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const sockets = clientSockets();
  const address = server.address() as { readonly port: number };
  const client = await clientOf(restStack, greeting, { url: `http://127.0.0.1:${address.port}` });
  for (let call = 0; call < 3; call += 1) expect(await hello(client, "x")).toBe("hi");
  expect(sockets.size).toBe(3);
});

describe("TLS", () => {
  const keepAlive = { serve: { settings: { keepAlive: false } } };

  async function handshakes(stack: string, settings: Readonly<Record<string, boolean>>) {
    const { server } = await pairOf(stack, greeting, keepAlive);
    const front = await tlsFront(server.url);
    const client = await clientOf(stack, greeting, { url: front.url.replace("/graphql", ""), ca: front.ca, settings });
    for (let call = 0; call < 4; call += 1) await hello(client, "x");
    expect(new Set(front.versions)).toEqual(new Set(["TLSv1.3"]));
    return front.resumed;
  }

  const resuming = stacksUnderTest().flatMap(({ name }) => (name === "grpc-js" ? [] : [name]));

  test.each(resuming)("%s resumes the session of the connection before, unless set not to", async (stack) => {
    expect(await handshakes(stack, {})).toEqual([false, true, true, true]);
    expect(await handshakes(stack, { tlsResumption: false })).toEqual([false, false, false, false]);
  });

  test("grpc-js gives TLS no session to resume: each handshake is a full one, and there is nothing to set", async () => {
    expect(await handshakes("grpc-js", {})).toEqual([false, false, false, false]);
    await expect(handshakes("grpc-js", { tlsResumption: true })).rejects.toMatchObject({ code: "unusable-setting" });
  });
});
