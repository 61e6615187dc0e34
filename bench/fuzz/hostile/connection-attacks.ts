// Attacks on the connections of any server, whatever its protocol.
import { once } from "node:events";
import { openSocket } from "../raw-exchange.ts";
import { type Attack, exampleCall, expectDropped, floodOfConnections } from "./connection.ts";

/** The number of callers that hang up, each a little later in its call. */
const hangUps = 40;

export const connectionAttacks: readonly Attack[] = [
  {
    name: "connections that say nothing are hung up on",
    waits: true,
    run: ({ url }) => expectDropped(url, () => []),
  },
  {
    name: "half a call is not waited for",
    waits: true,
    async run(target) {
      const call = await exampleCall(target);
      await expectDropped(target.url, () => [call.subarray(0, call.length / 2)]);
    },
  },
  {
    name: "connections whose call is over are closed in the end",
    waits: true,
    async run(target) {
      const call = await exampleCall(target);
      await expectDropped(target.url, () => [call]);
    },
  },
  floodOfConnections,
  {
    name: "callers who hang up in the middle are forgotten",
    waits: false,
    async run(target) {
      const call = await exampleCall(target);
      for (let at = 1; at <= hangUps; at += 1) {
        const socket = openSocket(target.url);
        socket.write(call.subarray(0, Math.ceil((call.length * at) / (hangUps + 1))));
        socket.once("connect", () => socket.destroy());
        await once(socket, "close");
      }
    },
  },
];
