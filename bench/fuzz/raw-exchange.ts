// Exchanges raw bytes with a port, for input that no client library would send.
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The result of an exchange. */
export interface RawAnswer {
  readonly bytes: Buffer;
  /** True if the server closed or reset the connection; false if the time limit passed first. */
  readonly isClosed: boolean;
}

export interface ExchangeOptions {
  readonly url: string;
  /** The pieces to send, one after the other. Sending stops when the connection closes. */
  readonly pieces: Iterable<Uint8Array | string>;
  /** The pause between pieces. */
  readonly pauseMs: number;
  /** How long to receive after everything is sent. */
  readonly listenMs: number;
  /** Returns true when the answer is complete, which ends the exchange. */
  readonly isComplete: (bytes: Buffer) => boolean;
}

/** Opens a connection to the server at a URL. A reset ends it like a close. */
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

/** Sends the pieces, receives the answer, and closes the connection. */
export function exchange(options: ExchangeOptions): Promise<RawAnswer> {
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
