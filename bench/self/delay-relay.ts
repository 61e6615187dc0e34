// A network of a given distance between two ends in this process: every chunk arrives later, in order. TCP's own windows do not see the
// distance; what speaks above it does.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

function forward(from: Socket, to: Socket, delayMs: number): void {
  from.on("data", (chunk) => void setTimeout(() => to.write(chunk), delayMs));
  from.on("error", () => to.destroy()).on("close", () => to.destroy());
}

/** The port at which the server at `port` is `delayMs` away in each direction. */
export async function delayRelay(port: number, delayMs: number): Promise<number> {
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: "127.0.0.1", port, noDelay: true });
    forward(near, far, delayMs);
    forward(far, near, delayMs);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
