// Emulates distance between two ends in this process: every chunk arrives later, in order. TCP windows do not see the distance; protocols above TCP
// do.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

function forward(from: Socket, to: Socket, delayMs: number): void {
  from.on("data", (chunk) => void setTimeout(() => to.write(chunk), delayMs));
  from.on("error", () => to.destroy()).on("close", () => to.destroy());
}

/** Opens a port that reaches the server at `port` with `delayMs` in each direction. */
export async function delayRelay(port: number, delayMs: number): Promise<number> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: "127.0.0.1", port, noDelay: true });
    forward(near, far, delayMs);
    forward(far, near, delayMs);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
