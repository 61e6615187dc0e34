// Bytes to a port and bytes back, below any protocol: for what no client library would send.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What came of an exchange. */
export interface Heard {
  readonly bytes: Buffer;
  /** The server closed or reset the connection; false when time ran out first. */
  readonly isClosed: boolean;
}

export interface ExchangeOptions {
  readonly url: string;
  /** What to send, one after the other. Sending stops when the connection is gone. */
  readonly pieces: Iterable<Uint8Array | string>;
  /** Between pieces. */
  readonly pauseMs: number;
  /** How long to listen once everything is sent. */
  readonly listenMs: number;
  /** Ends listening: the answer is complete. */
  readonly isComplete: (bytes: Buffer) => boolean;
}

/** Opens a connection to the server at a URL. A reset is a way to end like others. */
export function openSocket(url: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  return socket;
}

async function send(socket: Socket, { pieces, pauseMs }: ExchangeOptions): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed || socket.writableEnded) return;
    const isTaken = socket.write(piece);
    if (!isTaken) {
      await new Promise<void>((resolve) => {
        socket.once("drain", resolve);
        socket.once("close", () => resolve());
      });
    }
    if (pauseMs > 0) await sleep(pauseMs);
  }
}

/** Sends, listens, hangs up. */
export function exchange(options: ExchangeOptions): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = openSocket(options.url);
    const chunks: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ bytes: Buffer.concat(chunks), isClosed });
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (options.isComplete(Buffer.concat(chunks))) finish(false);
    });
    socket.on("close", () => finish(true));
    socket.on("end", () => finish(true));
    void (async () => {
      await send(socket, options);
      timer = setTimeout(() => finish(false), options.listenMs);
    })();
  });
}
