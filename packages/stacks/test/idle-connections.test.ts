// Connections without a call: how many a client keeps, for how long, and what its server states.
import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { clientSockets } from "./support/wire.ts";
import { clientOf, graphqlStack, hello, helloService, pairOf } from "./support/pair.ts";

const greeting = helloService(({ name }) => `Hello, ${name}!`);
const slowGreeting = helloService(async ({ name }) => {
  await sleep(5);
  return `Hello, ${name}!`;
});

type Caller = Parameters<typeof hello>[0];

const names = ["Ann", "Bob", "Cy"];
const greeted = names.map((name) => `Hello, ${name}!`);

function atOnce(client: Caller): Promise<readonly string[]> {
  return Promise.all(names.map((name) => hello(client, name)));
}

function openOf(sockets: ReadonlySet<Socket>): number {
  return [...sockets].filter(({ destroyed }) => !destroyed).length;
}

/** Calls one after the other without a pause. */
async function inTurn(client: Caller): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (let call = 0; call < 5; call += 1) expect(await hello(client, "x")).toBe("Hello, x!");
}

describe.each(["rest-express", "rest-express+axios", graphqlStack])("%s", (stack) => {
  test("all connections are kept unless something is set", async () => {
    const sockets = clientSockets();
    const { client } = await pairOf(stack, slowGreeting, { connect: { connections: 3 } });
    expect(await atOnce(client)).toEqual(greeted);
    await sleep(20);
    expect(await atOnce(client)).toEqual(greeted);
    expect([sockets.size, openOf(sockets)]).toEqual([3, 3]);
  });

  test("of three calls at once, a client that keeps one idle connection closes two, and opens two for the next three", async () => {
    const sockets = clientSockets();
    const connect = { connections: 3, settings: { idleConnections: 1 } };
    const { client } = await pairOf(stack, slowGreeting, { connect });
    expect(await atOnce(client)).toEqual(greeted);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(1), 4_000);
    expect(await atOnce(client)).toEqual(greeted);
    expect(sockets.size).toBe(5);
  });

  test("connections are not idle between the calls of callers who do not pause", async () => {
    const sockets = clientSockets();
    const connect = { connections: 3, settings: { idleConnections: 1 } };
    const { client } = await pairOf(stack, slowGreeting, { connect });
    await Promise.all(names.map(() => inTurn(client)));
    // A process that is halted between an answer and the next call may see a connection as idle: once, and not after each of twelve.
    expect(sockets.size).toBeLessThanOrEqual(4);
  });

  test("of two idle connections the one that was used last is used next, so that the other can end", async () => {
    const sockets = clientSockets();
    const connect = { connections: 3, settings: { idleConnections: 2 } };
    const { client } = await pairOf(stack, slowGreeting, { connect });
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
    const { client, server } = await pairOf(stack, slowGreeting, { connect });
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

  test("calls that wait for a connection are answered before the client closes, and none after", async () => {
    const sockets = clientSockets();
    const connect = { connections: 2, settings: { idleConnections: 1 } };
    const { client } = await pairOf(stack, slowGreeting, { connect });
    const answers = atOnce(client);
    await client.close();
    expect(await answers).toEqual(greeted);
    expect(openOf(sockets)).toBe(0);
    await expect(hello(client, "too late")).rejects.toMatchObject({ code: "CANCELLED" });
  });

  test("unanswered calls fail, and so do those that wait for a connection", async () => {
    const { server } = await pairOf(stack, greeting);
    await server.close();
    const client = await clientOf(stack, greeting, {
      url: server.url,
      connections: 1,
      settings: { idleConnections: 0 },
    });
    const calls = await Promise.allSettled(names.map((name) => hello(client, name)));
    expect(calls).toEqual(
      calls.map(() => expect.objectContaining({ reason: expect.objectContaining({ code: "UNAVAILABLE" }) })),
    );
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
    const { hostname, port } = new URL(server.url);
    const socket = connectTcp({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.write("GET /v1/nothing HTTP/1.1\r\nhost: x\r\n\r\n");
    const [heard] = (await once(socket, "data")) as [Buffer];
    expect(heard.toString().toLowerCase()).toContain("connection: keep-alive\r\n");
    expect(heard.toString().toLowerCase().includes("keep-alive: timeout=60\r\n")).toBe(keepAliveHint);
  });

  test("a connection without a stated end is used until it closes, and another is opened after that", async () => {
    const sockets = clientSockets();
    const settings = { keepAliveHint: false, maxConnectionIdleMs: 100 };
    const { client } = await pairOf(stack, greeting, { serve: { settings } });
    await inTurn(client);
    expect([sockets.size, openOf(sockets)]).toEqual([1, 1]);
    await vi.waitFor(() => expect(openOf(sockets)).toBe(0), 4_000);
    await inTurn(client);
    expect(sockets.size).toBe(2);
  });
});
