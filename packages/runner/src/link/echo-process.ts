// The program that measures a link. `serve HOST` echoes bytes at one end and prints its port; `ping HOST PORT` prints RoundTrips as JSON at the other.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { RoundTrips } from "./check.ts";

const wantedPings = 15;
/** Keeps the check short: pings over a long distance use several connections at once, the more the farther. */
const pingsMs = 400;
/** The delay between the first pings of these connections, so that they do not compete for a processor. */
const staggerMs = 10;

async function serve(host: string): Promise<void> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy()).pipe(socket);
  });
  await once(server.listen(0, host), "listening");
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
}

async function pingOnce(socket: Socket): Promise<number> {
  const sentAt = performance.now();
  socket.write("e");
  await once(socket, "data");
  return performance.now() - sentAt;
}

/** The times of single bytes over a new connection, the first left out: it resolves neighbours, compiles code, and a relay delays it. */
async function pingConnection(host: string, port: number, count: number): Promise<readonly number[]> {
  const socket = connect({ host, port, noDelay: true });
  await once(socket, "connect");
  await pingOnce(socket);
  const timesMs: number[] = [];
  while (timesMs.length < count) timesMs.push(await pingOnce(socket));
  socket.destroy();
  return timesMs;
}

async function ping(host: string, port: number): Promise<RoundTrips> {
  const [firstMs = 0] = await pingConnection(host, port, 1);
  const connections = Math.min(Math.max(Math.ceil((wantedPings * firstMs) / pingsMs), 1), wantedPings);
  const each = Math.ceil(wantedPings / connections);
  const times = await Promise.all(
    Array.from({ length: connections }, async (_, index) => {
      await sleep(index * staggerMs);
      return pingConnection(host, port, each);
    }),
  );
  const sorted = times.flat().toSorted((a, b) => a - b);
  return { leastRttMs: sorted[0] ?? Number.NaN, rttMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN };
}

const [role, host = "", port] = process.argv.slice(2);
// Ends with its parent.
process.stdin.on("end", () => process.exit()).resume();
if (role === "serve") await serve(host);
else process.stdout.write(`${JSON.stringify(await ping(host, Number(port)))}\n`, () => process.exit());
