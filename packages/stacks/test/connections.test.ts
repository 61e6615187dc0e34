// Connections that are not kept, connections for one call, and idle ones: what they cost is counted, and no call fails of it.
import { once } from "node:events";
import type { Socket } from "node:net";
import { connect as connectHttp2 } from "node:http2";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { answeringServer, clientSockets, rawSocket, tlsFront } from "./support/wire.ts";
import {
  clientOf,
  graphqlStack,
  hello,
  helloService,
  pairOf,
  restStack,
  stacksUnderTest,
  greeting,
} from "./support/pair.ts";
import { setTimeout as sleep } from "node:timers/promises";

const slowGreeting = helloService(async ({ name }) => {
  await sleep(name.length % 3);
  return `Hello, ${name}!`;
});
const lateGreeting = helloService(async ({ name }) => {
  await sleep(5);
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
  });
});

test("HTTP/1.1 announces the last answer with it, and closes", async () => {
  const { server } = await pairOf(restStack, greeting, { serve: { settings: { keepAlive: false } } });
  const socket = await rawSocket(server.url);
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  socket.write("GET /v1/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n");
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
  const url = await answeringServer((response) =>
    response.writeHead(200, { connection: "keep-alive", "keep-alive": "timeout=1" }).end('{"message":"hi"}'),
  );
  const sockets = clientSockets();
  const client = await clientOf(restStack, greeting, { url });
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

// Connections without a call: how many a client keeps, for how long, and what its server states.

type Caller = Parameters<typeof hello>[0];

const names = ["Ann", "Bob", "Cy"];
const greeted = names.map((name) => `Hello, ${name}!`);

function atOnce(client: Caller): Promise<readonly string[]> {
  return Promise.all(names.map((name) => hello(client, name)));
}

function openOf(sockets: ReadonlySet<Socket>): number {
  return [...sockets].filter(({ destroyed }) => !destroyed).length;
}

describe.each(["rest-express", "rest-express+axios", graphqlStack])("%s", (stack) => {
  test("of three calls at once, a client that keeps one idle connection closes two, and opens two for the next three", async () => {
    const sockets = clientSockets();
    const connect = { connections: 3, settings: { idleConnections: 1 } };
    const { client } = await pairOf(stack, lateGreeting, { connect });
    expect(await atOnce(client)).toEqual(greeted);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(1), 4_000);
    expect(await atOnce(client)).toEqual(greeted);
    expect(sockets.size).toBe(5);
  });

  test("of two idle connections the one that was used last is used next, so that the other can end", async () => {
    const sockets = clientSockets();
    const connect = { connections: 3, settings: { idleConnections: 2 } };
    const { client } = await pairOf(stack, lateGreeting, { connect });
    await atOnce(client);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(2), 4_000);
    const kept = [...sockets].filter(({ destroyed }) => !destroyed);
    const before = kept.map(({ bytesWritten }) => bytesWritten);
    for (let call = 0; call < 4; call += 1) {
      // A connection is idle a turn of the event loop after its call.
      // oxlint-disable-next-line no-await-in-loop
      await sleep(5);
      // oxlint-disable-next-line no-await-in-loop
      await hello(client, "x");
    }
    expect(kept.filter(({ bytesWritten }, place) => bytesWritten > (before[place] ?? 0))).toHaveLength(1);
    expect(sockets.size).toBe(3);
  });

  test("a client that keeps none opens one for each call, and no more at once than allowed", async () => {
    const connect = { connections: 2, settings: { idleConnections: 0 } };
    const { client, server } = await pairOf(stack, lateGreeting, { connect });
    const sockets = clientSockets(server.url);
    const answers = atOnce(client);
    await sleep(0);
    expect(sockets.size).toBe(2);
    // The third call waited for one of the two, and had its connection.
    expect(await answers).toEqual(greeted);
    expect(sockets.size).toBe(2);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(0), 4_000);
    // The client learns of it in the next turn of the event loop.
    await sleep(0);
    await hello(client, "x");
    expect(sockets.size).toBe(3);
  });

  test.each([{}, { idleConnections: 2 }])(
    "a client closes connections that it has not used for so long (%j)",
    async (more) => {
      const sockets = clientSockets();
      const connect = { connections: 3, settings: { clientIdleTimeoutMs: 30, ...more } };
      const { client } = await pairOf(stack, greeting, { connect });
      await atOnce(client);
      await vi.waitFor(() => expect(openOf(sockets)).toBe(0), 4_000);
      expect(await atOnce(client)).toEqual(greeted);
      expect(sockets.size).toBe(6);
    },
  );

  test.each([true, false])("a server states how long it keeps a connection: %s", async (keepAliveHint) => {
    const settings = { keepAliveHint, maxConnectionIdleMs: 60_000 };
    const { server } = await pairOf(stack, greeting, { serve: { settings } });
    const socket = await rawSocket(server.url);
    socket.write("GET /v1/nothing HTTP/1.1\r\nhost: localhost\r\n\r\n");
    const [heard] = (await once(socket, "data")) as [Buffer];
    expect(heard.toString().toLowerCase()).toContain("connection: keep-alive\r\n");
    expect(heard.toString().toLowerCase().includes("keep-alive: timeout=60\r\n")).toBe(keepAliveHint);
  });

  test("a connection without a stated end is used until it closes, and another is opened after that", async () => {
    const sockets = clientSockets();
    const settings = { keepAliveHint: false, maxConnectionIdleMs: 100 };
    const { client } = await pairOf(stack, greeting, { serve: { settings } });
    expect(await inTurn(client)).toEqual(expected);
    expect([sockets.size, openOf(sockets)]).toEqual([1, 1]);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(0), 4_000);
    expect(await inTurn(client)).toEqual(expected);
    expect(sockets.size).toBe(2);
  });
});
