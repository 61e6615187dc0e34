// Counts datagrams over a link: one end echoes them, the other sends them at a pace and counts those that return.
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { datagramBytes, type DatagramPlan } from "./loss-check.ts";

/** The size that every Linux grants on request. */
const bufferBytes = 212_992;
/** After a wait for a core, the delay is caught up gradually. */
const mostAtOnce = 4;

async function bound(host?: string): Promise<Socket> {
  const socket = createSocket({ type: "udp4", recvBufferSize: bufferBytes });
  socket.bind(0, host);
  await once(socket, "listening");
  return socket;
}

export async function echoDatagrams(host: string): Promise<{ readonly port: number; readonly seen: () => number }> {
  const socket = await bound(host);
  let seen = 0;
  // If the network is lost, the caller reports it.
  socket.on("error", () => undefined);
  socket.on("message", (message, { address, port }) => {
    seen += 1;
    socket.send(message, port, address, () => undefined);
  });
  return { port: socket.address().port, seen: () => seen };
}

/** Sends datagrams. Resolves to how many have returned once none has returned for `quietMs`. */
export async function sendDatagrams(
  host: string,
  port: number,
  { count, paceHz }: DatagramPlan,
  quietMs: number,
): Promise<number> {
  const socket = await bound();
  const content = Buffer.alloc(datagramBytes);
  let returned = 0;
  let lastAt = 0;
  socket.on("message", () => {
    returned += 1;
    lastAt = performance.now();
  });
  const startedAt = performance.now();
  for (let sent = 0; sent < count;) {
    const due = 1 + Math.floor(((performance.now() - startedAt) * paceHz) / 1_000);
    for (const end = Math.min(due, count, sent + mostAtOnce); sent < end; sent += 1) socket.send(content, port, host);
    await sleep(1);
  }
  lastAt = Math.max(lastAt, performance.now());
  const isOver = (): boolean => returned === count || performance.now() - lastAt >= quietMs;
  while (!isOver()) await sleep(5);
  socket.close();
  return returned;
}
