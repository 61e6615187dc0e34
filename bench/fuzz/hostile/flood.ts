// More connections than a server takes: those beyond the limit are hung up on, and who was there before is served on.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { openSocket } from "../raw-exchange.ts";
import { smallLimits } from "../served.ts";
import { expectThat, type Attack } from "./attack.ts";

const attempts = smallLimits.maxConnections * 3;
const settleMs = 400;

/** The attack on these stacks. */
export function floodOfConnections(stackNames: readonly string[]): Attack {
  return {
    name: "more connections than the limit are hung up on",
    stackNames,
    async run({ url }) {
      const sockets = Array.from({ length: attempts }, () => openSocket(url));
      await sleep(settleMs);
      const open = sockets.filter((socket) => !socket.closed && !socket.destroyed).length;
      for (const socket of sockets) socket.destroy();
      await Promise.all(sockets.filter((socket) => !socket.closed).map((socket) => once(socket, "close")));
      expectThat(
        open <= smallLimits.maxConnections,
        `${open} connections are open, allowed are ${smallLimits.maxConnections}`,
      );
      await sleep(settleMs);
    },
  };
}
