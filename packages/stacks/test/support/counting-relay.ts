// Stands between a client and a server, passes everything on and counts it.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface CountingRelay {
  /** The server's address with the relay's port in it. */
  readonly url: string;
  readonly port: number;
  /** Bytes passed on so far. */
  readonly toServer: number;
  readonly toClient: number;
}

/** Relays to the server at `url` until the test is over. */
export async function countingRelay(url: string): Promise<CountingRelay> {
  const target = new URL(url);
  const open = new Set<Socket>();
  let toServer = 0;
  let toClient = 0;
  const relay = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (chunk) => (toServer += chunk.length));
    server.on("data", (chunk) => (toClient += chunk.length));
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, target.hostname, resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    relay.close();
  });
  const { port } = relay.address() as AddressInfo;
  const relayed = new URL(url);
  relayed.port = String(port);
  return {
    url: relayed.href.replace(/\/$/, ""),
    port,
    get toServer() {
      return toServer;
    },
    get toClient() {
      return toClient;
    },
  };
}
