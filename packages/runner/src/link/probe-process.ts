// What a link is checked with: `serve HOST` answers at one end, `probe HOST PORT` asks from the other and prints what it saw as JSON.
import { connect, createServer, type Socket } from "node:net";
import { once } from "node:events";
import { bulkBytes, type ProbeFacts } from "./probe.ts";

const pings = 15;

/** One byte comes back as it is; `b` brings the bulk. */
function serve(host: string): void {
  const bulk = Buffer.alloc(bulkBytes, 1);
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (asked) => void socket.write(asked.toString() === "b" ? bulk : asked));
  });
  server.listen(0, host, () => {
    const address = server.address();
    process.stdout.write(`${typeof address === "object" && address !== null ? address.port : 0}\n`);
  });
  // It goes with whoever started it.
  process.stdin.on("end", () => process.exit()).resume();
}

async function received(socket: Socket, bytes: number): Promise<void> {
  let seen = 0;
  while (seen < bytes) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    seen += chunk.length;
  }
}

async function connected(host: string, port: number): Promise<{ readonly socket: Socket; readonly connectMs: number }> {
  const startedAt = performance.now();
  const socket = connect({ host, port, noDelay: true });
  await once(socket, "connect");
  return { socket, connectMs: performance.now() - startedAt };
}

async function probe(host: string, port: number): Promise<ProbeFacts> {
  // The first connection finds out about neighbours and compiles this code.
  (await connected(host, port)).socket.destroy();
  const { socket, connectMs } = await connected(host, port);
  const times: number[] = [];
  for (let ping = 0; ping < pings; ping += 1) {
    const sentAt = performance.now();
    socket.write("e");
    await received(socket, 1);
    times.push(performance.now() - sentAt);
  }
  socket.destroy();
  const cold = await connected(host, port);
  const askedAt = performance.now();
  cold.socket.write("b");
  await received(cold.socket, bulkBytes);
  const coldBulkMs = performance.now() - askedAt;
  cold.socket.destroy();
  return { connectMs, rttMs: times.toSorted((a, b) => a - b)[Math.floor(pings / 2)] ?? Number.NaN, coldBulkMs };
}

const [role = "", host = "", port = ""] = process.argv.slice(2);
if (role === "serve") serve(host);
else process.stdout.write(JSON.stringify(await probe(host, Number(port))));
