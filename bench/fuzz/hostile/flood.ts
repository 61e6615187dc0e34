// More connections than a server takes: those beyond the limit are hung up on, and who was there before is served on.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../raw-exchange.ts";
import { smallLimits } from "../served.ts";
import { expectThat, type Attack } from "./attack.ts";

const attempts = smallLimits.maxConnections * 3;
const settleMs = 400;
const patienceMs = 8_000;

export const floodOfConnections: Attack = {
  name: "more connections than the limit are hung up on",
  waits: false,
  async run({ url }) {
    const sockets = Array.from({ length: attempts }, () => openSocket(url));
    // Until the server has seen them all.
    const open = (): number => sockets.filter((socket) => !socket.closed && !socket.destroyed).length;
    for (let waitedMs = 0; waitedMs < patienceMs && open() > smallLimits.maxConnections; waitedMs += settleMs) {
      await sleep(settleMs);
    }
    const left = open();
    for (const socket of sockets) socket.destroy();
    await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, "close")));
    expectThat(
      left <= smallLimits.maxConnections,
      `${left} connections are open, allowed are ${smallLimits.maxConnections}`,
    );
    await sleep(settleMs);
  },
};
