// A relay between a client and a server that keeps what the client sends.
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";

export interface RecordingRelay {
  readonly url: string;
  /** The bytes sent so far over the first connection. */
  readonly sent: () => Buffer;
  close(): Promise<void>;
}

export async function recordingRelay(url: string): Promise<RecordingRelay> {
  const { hostname, port } = new URL(url);
  const connections: Buffer[][] = [];
  const server = createServer((near) => {
    const chunks: Buffer[] = [];
    connections.push(chunks);
    const far = connect(Number(port), hostname);
    near.on("data", (chunk) => chunks.push(chunk)).on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const own = new URL(url);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    sent: () => Buffer.concat(connections[0] ?? []),
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
