// The program that checks a link. `serve HOST` answers at one end and prints its TCP and UDP ports; at the other end, `ping HOST PORT` and `probe
// HOST PORT UDP-PORT COUNT PACE` print their results as JSON.
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { echoDatagrams, sendDatagrams } from "./count-datagrams.ts";
import type { DatagramFacts, DatagramPlan } from "./loss-check.ts";
import { bulkBytes, type PingFacts, type ProbeFacts } from "./probe.ts";

const wantedPings = 15;
/** Keeps the check short: pings over a long distance use several connections at once, the more the farther. */
const pingsMs = 400;
/** The delay between the first pings of these connections, so that they do not compete for a processor. */
const staggerMs = 10;

/** Datagrams that have not returned this long after a round trip are lost. */
const quietMs = 100;

/** Echoes single bytes, except `b`, which requests the bulk, and `c`, which requests the number of received datagrams in four bytes. */
async function serve(host: string): Promise<void> {
  const bulk = Buffer.alloc(bulkBytes, 1);
  const datagrams = await echoDatagrams(host);
  const count = (): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(datagrams.seen());
    return bytes;
  };
  const answers: Readonly<Record<string, () => Buffer>> = { b: () => bulk, c: count };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (asked) => void socket.write(answers[asked.toString()]?.() ?? asked));
  });
  server.listen(0, host, () => {
    const address = server.address();
    process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0} ${datagrams.port}\n`);
  });
}

/** Resolves to the last chunk once this many bytes have arrived. */
async function received(socket: Socket, bytes: number): Promise<Buffer> {
  for (let seen = 0; ;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    seen += chunk.length;
    if (seen >= bytes) return chunk;
  }
}

async function connected(host: string, port: number): Promise<{ readonly socket: Socket; readonly connectMs: number }> {
  const startedAt = performance.now();
  const socket = connect({ host, port, noDelay: true });
  await once(socket, "connect");
  return { socket, connectMs: performance.now() - startedAt };
}

async function pinged(socket: Socket): Promise<number> {
  const sentAt = performance.now();
  socket.write("e");
  await received(socket, 1);
  return performance.now() - sentAt;
}

/** Several pings over one connection, one after the other. */
async function pingedOften(socket: Socket, times: number): Promise<readonly number[]> {
  const seen: number[] = [];
  while (seen.length < times) seen.push(await pinged(socket));
  socket.destroy();
  return seen;
}

async function ping(host: string, port: number): Promise<PingFacts> {
  // The first connection resolves neighbours and compiles this code.
  const first = await connected(host, port);
  await pinged(first.socket);
  first.socket.destroy();
  const { socket, connectMs } = await connected(host, port);
  const exchangeMs = await pinged(socket);
  const lanes = Math.min(Math.max(Math.ceil((wantedPings * exchangeMs) / pingsMs), 1), wantedPings);
  const each = Math.ceil(wantedPings / lanes);
  const seen = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      if (lane === 0) return pingedOften(socket, each);
      await sleep(lane * staggerMs);
      const other = await connected(host, port);
      // A relay delays the first byte of a connection by the handshake too.
      await pinged(other.socket);
      return pingedOften(other.socket, each);
    }),
  );
  const times = seen.flat();
  const rttMs = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  return { connectMs, firstExchangeMs: connectMs + exchangeMs, rttMs, leastRttMs: Math.min(...times) };
}

async function counted(host: string, port: number, udpPort: number, plan: DatagramPlan): Promise<DatagramFacts> {
  if (plan.count === 0) return { sent: 0, arrived: 0, returned: 0 };
  const { socket, connectMs } = await connected(host, port);
  const returned = await sendDatagrams(host, udpPort, plan, quietMs + 2 * connectMs);
  socket.write("c");
  const arrived = (await received(socket, 4)).readUInt32BE();
  socket.destroy();
  return { sent: plan.count, arrived, returned };
}

async function probe(host: string, port: number, udpPort: number, plan: DatagramPlan): Promise<ProbeFacts> {
  const pings = await ping(host, port);
  const cold = await connected(host, port);
  const askedAt = performance.now();
  cold.socket.write("b");
  await received(cold.socket, bulkBytes);
  const coldBulkMs = performance.now() - askedAt;
  cold.socket.destroy();
  return { ...pings, coldBulkMs, datagrams: await counted(host, port, udpPort, plan) };
}

const [role = "", host = "", ...numbers] = process.argv.slice(2);
const [port = 0, udpPort = 0, count = 0, paceHz = 1] = numbers.map(Number);
// Ends with its parent.
process.stdin.on("end", () => process.exit()).resume();
if (role === "serve") await serve(host);
else {
  const seen = await (role === "ping" ? ping(host, port) : probe(host, port, udpPort, { count, paceHz }));
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit());
}
