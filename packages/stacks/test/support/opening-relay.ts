// Stands between a client and a server that speaks TLS: the connection opens when the test says so.
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface OpeningRelay {
  /** The server's address with the relay's port in it. */
  readonly url: string;
  /** Passes on what clients have sent, and everything from now on. */
  open(): void;
  /** Resolves when the client has ended its first connection, of itself: the server's end is not passed on. */
  readonly ended: Promise<void>;
}

/** Relays to the server at `url` until the test is over. */
export async function openingRelay(url: string): Promise<OpeningRelay> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const opening = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  async function pass(client: Socket): Promise<void> {
    await opening.promise;
    const server = connect({ host: target.hostname, port: Number(target.port) });
    sockets.add(server);
    server.on("error", () => undefined);
    client.pipe(server).pipe(client, { end: false });
  }
  const relay = createServer({ pauseOnConnect: true }, (client) => {
    sockets.add(client);
    for (const event of ["end", "error", "close"]) client.on(event, () => ended.resolve());
    void pass(client);
  });
  await new Promise<void>((resolve) => relay.listen(0, target.hostname, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  const relayed = new URL(url);
  relayed.port = String((relay.address() as AddressInfo).port);
  return { url: relayed.href.replace(/\/$/, ""), open: () => opening.resolve(), ended: ended.promise };
}
