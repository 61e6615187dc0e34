// The relay link: what crosses it comes later, whole and in order; what it cannot show it refuses.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { kind } from "../src/link/kinds/relay.ts";
import type { Link, LinkRoute } from "../src/link/link.ts";
import { type LinkSettings, linkDefaults } from "../src/study/link-settings.ts";
import { shortRun, shortStudies, measureWhole } from "./support/short-run.ts";

const settings = (changes: Partial<LinkSettings>): LinkSettings => ({ ...linkDefaults, ...changes });
// So far that what a busy machine adds to a round trip is within the tolerance of the relay's own check.
const rttMs = 200;
const toleranceMs = 0.02 * rttMs + 0.3;
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

  it("closes the connection of a client whose server has gone away, or was never there", async () => {
    const client = await clientOf((socket) => socket.resetAndDestroy());
    await expect(once(client, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
    const nobody = await link.reach("http://127.0.0.1:1");
    const lonely = connect({ host: "127.0.0.1", port: Number(new URL(nobody.url).port) });
    await expect(once(lonely, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
    await nobody[Symbol.asyncDispose]();
  });
});

describe("what a relay cannot show", () => {
  const calls = { settings: [settings({ rttMs })], needs: [] };

  it.each<[string, Partial<LinkSettings>]>([
    ["bandwidth", { bandwidthMbps: 10 }],
    ["loss of packets", { loss: 0.01 }],
    ["congestion control", { congestionControl: "bbr" }],
    ["receive window", { receiveWindowBytes: 65_536 }],
    ["end of a receive window", { windowAt: "server" }],
    ["initial window", { initialWindowSegments: 200 }],
    ["saved metrics", { savesMetrics: true }],
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
});

it("a run over a relay says what its distance is not", async () => {
  // So far that what a busy machine adds to a round trip is within the tolerance of the relay's own check.
  const farMs = 500;
  const links = { rttMs: [farMs] };
  const options = await shortRun({ link: "relay", links, rounds: 1, warmUpMs: 1 });
  const studies = shortStudies({ tasksPerRound: 2, tasksPerBlock: 1 });
  const { environment } = await measureWhole({ ...options, studies });
  const limits = ["tcp-sees-no-distance"];
  expect(environment.links).toMatchObject([{ kind: "relay", asked: { rttMs: farMs }, limits }]);
});
