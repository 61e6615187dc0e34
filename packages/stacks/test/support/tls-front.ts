// Ends TLS in front of a server that speaks none, and reports what each handshake was.
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:tls";
import { onTestFinished } from "vitest";
import { certificate } from "./pair.ts";

export interface TlsFront {
  readonly url: string;
  /** What clients trust it by. */
  readonly ca: string;
  /** For each connection in their order, whether it resumed a session. */
  readonly resumed: readonly boolean[];
  /** The version of TLS that each connection speaks. */
  readonly versions: readonly (string | null)[];
}

/** Stands in front of the plain server at `url` until the test is over. */
export async function tlsFront(url: string): Promise<TlsFront> {
  const target = new URL(url);
  const tls = await certificate;
  const resumed: boolean[] = [];
  const versions: (string | null)[] = [];
  const open = new Set<Socket>();
  const front = createServer({ ...tls, ALPNProtocols: ["h2", "http/1.1"], noDelay: true }, (client) => {
    resumed.push(client.isSessionReused());
    versions.push(client.getProtocol());
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on("error", () => {});
    }
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    front.close();
  });
  const { port } = front.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}`, ca: tls.ca, resumed, versions };
}
