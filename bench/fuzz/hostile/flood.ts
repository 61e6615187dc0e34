// Opens more connections than a server allows. The server must close those beyond the limit and keep serving earlier ones.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../raw-exchange.ts";
import { longestListenMs, smallLimits } from "../served.ts";
import { expectThat, type Attack } from "./attack.ts";

const attempts = smallLimits.maxConnections * 3;
const settleMs = 400;

export const floodOfConnections: Attack = {
  name: "more connections than the limit are hung up on",
  waits: false,
  async run({ url }) {
    const sockets = Array.from({ length: attempts }, () => openSocket(url));
    // Waits until the server has seen all connections.
    const open = (): number => sockets.filter((socket) => !socket.closed && !socket.destroyed).length;
    for (let waitedMs = 0; waitedMs < longestListenMs && open() > smallLimits.maxConnections; waitedMs += settleMs) {
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
