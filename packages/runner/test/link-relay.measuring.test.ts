// The relay link: what crosses it comes later, whole and in order; what it cannot show it refuses.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { kind } from "../src/link/kinds/relay.ts";
import type { Link, LinkRoute } from "../src/link/link.ts";
import { chooseLinkKind } from "../src/link/link-kinds.ts";
import { linkDefaults, type LinkSettings } from "../src/study/link-settings.ts";
import { measureRun } from "../src/measure-run.ts";
import { Child } from "../src/processes/child.ts";
import { shortRun } from "./support/short-run.ts";

const settings = (changes: Partial<LinkSettings>): LinkSettings => ({ ...linkDefaults, ...changes });
// So far that what a busy machine adds to a round trip is within the tolerance of the relay's own check.
const rttMs = 200;
const toleranceMs = 0.02 * rttMs + 0.3;
/** What a relay itself may add to a round trip. */
const mostLateMs = 0.7;
/** What a link takes off for a relay that it has found late, see check.ts. */
const mostTakenOffMs = 1.5;
const mostPingsMs = 30_000;

/**
 * The fastest of many bytes there and back, until one takes no longer than `enoughMs`: what else is on the machine only adds to a round trip, so that the
 * fastest shows how far the relay is.
 */
async function fastestPingMs(client: Socket, enoughMs: number): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  const startedAt = performance.now();
  while (leastMs > enoughMs && performance.now() - startedAt < mostPingsMs) {
    const sentAt = performance.now();
    client.write("e");
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await once(client, "data");
    leastMs = Math.min(leastMs, performance.now() - sentAt);
  }
  return leastMs;
}

describe("a relay", () => {
  let link: Link;
  let route: LinkRoute | undefined;
  const open: { close(): unknown }[] = [];

  beforeAll(async () => {
    link = await kind.open(settings({ rttMs }), new AbortController().signal);
  });
  afterEach(async () => {
    await route?.[Symbol.asyncDispose]();
    for (const one of open.splice(0)) one.close();
  });
  afterAll(() => link[Symbol.asyncDispose]());

  /** A server behind the relay, and a client of it. */
  async function clientOf(serve: (socket: Socket) => void): Promise<Socket> {
    const server = createServer({ allowHalfOpen: true }, serve);
    open.push(server);
    await once(server.listen(0, "127.0.0.1"), "listening");
    route = await link.reach(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { hostname, port } = new URL(route.url);
    const client = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true });
    open.push({ close: () => client.destroy() });
    await once(client, "connect");
    return client;
  }

  it("is as far as asked for", async () => {
    expect(link.facts.kind).toBe("relay");
    const client = await clientOf((socket) => socket.pipe(socket));
    const leastMs = await fastestPingMs(client, rttMs + toleranceMs);
    expect(leastMs).toBeGreaterThanOrEqual(rttMs - mostTakenOffMs);
    expect(leastMs).toBeLessThanOrEqual(rttMs + toleranceMs);
    expect(link.facts.rttMs).toBeGreaterThanOrEqual(rttMs - toleranceMs);
  });

  it("takes two round trips for the first exchange on a connection, and three when the server has to begin", async () => {
    const startedAt = performance.now();
    const client = await clientOf((socket) => {
      socket.write("welcome");
      socket.pipe(socket);
    });
    await once(client, "data");
    client.write("hello");
    await once(client, "data");
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3 * rttMs - 2);
  });

  it("forwards every byte in order, however many arrive before they are read", async () => {
    // More than a relay holds at once.
    const sent = Buffer.concat(Array.from({ length: 80 }, (_, index) => Buffer.alloc(2 ** 18, index)));
    const client = await clientOf((socket) => void setTimeout(() => socket.pipe(socket), 200));
    client.end(sent);
    const chunks: Buffer[] = [];
    for await (const chunk of client) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).equals(sent)).toBe(true);
  });

  it("lets one side end while the other still sends", async () => {
    const client = await clientOf((socket) => {
      socket.resume().on("end", () => void setTimeout(() => socket.end("after all"), 30));
    });
    client.end("first");
    const [answer] = (await once(client, "data")) as [Buffer];
    expect(answer.toString()).toBe("after all");
    await once(client, "end");
  });

  it("closes the connection of a client whose server has gone away, or was never there", async () => {
    const client = await clientOf((socket) => socket.resetAndDestroy());
    await expect(once(client, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
    const nobody = await link.reach("http://127.0.0.1:1");
    const lonely = connect({ host: "127.0.0.1", port: Number(new URL(nobody.url).port) });
    await expect(once(lonely, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
    await nobody[Symbol.asyncDispose]();
  });

  it("keeps the host, for which certificates are made, and the path", async () => {
    const elsewhere = await link.reach("https://localhost:4433/graphql");
    expect(elsewhere.url).toMatch(/^https:\/\/localhost:\d+\/graphql$/);
    expect(elsewhere.url).not.toContain(":4433");
    await elsewhere[Symbol.asyncDispose]();
  });
});

// A link's own check refuses such a distance on a busy machine, and takes off what it finds late: this is the process alone.
describe("a relay's process", () => {
  const nearMs = 20;

  it("delays each byte by no less than the round trip, and the fastest of many by hardly more", async () => {
    const server = createServer({ noDelay: true }, (socket) => socket.pipe(socket));
    const file = fileURLToPath(new URL("../src/link/relay-process.ts", import.meta.url));
    const relay = new Child({ file, commandPrefix: [], label: "relay" });
    try {
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      const question = { ask: "open", host: "127.0.0.1", port, rttMs: nearMs } as const;
      const client = connect({ host: "127.0.0.1", port: await relay.ask<number>(question), noDelay: true });
      const leastMs = await fastestPingMs(client, nearMs + mostLateMs);
      expect(leastMs).toBeGreaterThanOrEqual(nearMs);
      expect(leastMs).toBeLessThanOrEqual(nearMs + mostLateMs);
      client.destroy();
    } finally {
      await relay.stop();
      server.close();
    }
  });
});

describe("what a relay cannot show", () => {
  const calls = { settings: [settings({ rttMs })], needs: [] };

  it.each([
    ["bandwidth", { bandwidthMbps: 10 }],
    ["loss of packets", { loss: 0.01 }],
    ["congestion control", { congestionControl: "bbr" }],
    ["receive window", { receiveWindowBytes: 65_536 }],
    ["window scaling", { windowScaling: false }],
    ["slow start after idle", { slowStartAfterIdle: false }],
  ])("is refused: %s", (name, changes) => {
    expect(kind.refuses({ ...calls, settings: [settings({ rttMs, ...changes })] })).toContain(name);
  });

  it("is refused: cold connections and many bytes, and nothing else", () => {
    expect(kind.refuses({ ...calls, needs: ["cold connections"] })).toContain("cold connections");
    expect(kind.refuses({ ...calls, needs: ["bulk"] })).toContain("bulk");
    expect(kind.refuses(calls)).toBeUndefined();
  });

  it("is refused with the reason if it was requested by name", async () => {
    await expect(chooseLinkKind("relay", { ...calls, needs: ["bulk"] })).rejects.toMatchObject({
      code: "link-unavailable",
      message: "the relay link cannot be used: it cannot show bulk: that takes the kernel's own TCP over the distance",
    });
  });
});

describe("a run over a relay", () => {
  it("says what its distance is not", async () => {
    // So far that what a busy machine adds to a round trip is within the tolerance of the relay's own check.
    const farMs = 500;
    const links = { rttMs: [farMs] };
    const options = await shortRun({ link: "relay", links, rounds: 1, warmUpMs: 1 });
    const studies = options.studies.map((study) => ({
      ...study,
      tasks: study.tasks.map((task) => ({ ...task, tasksPerRound: 2, tasksPerBlock: 1 })),
    }));
    const never = new AbortController().signal;
    const { warnings, environment } = await measureRun({ ...options, studies }, never, () => undefined);
    expect(warnings).toContainEqual({ code: "link-caveat", message: kind.caveat });
    expect(environment.links).toMatchObject([{ kind: "relay", asked: { rttMs: farMs } }]);
  });
});
