// Streams of gRPC messages: their requests as a client takes them, and answers no faster than they are read.
import { onlyRequest, type Operation, type Requests, requestToBinary, untilEnded } from "@roundtrip/contract";
import type { Writable } from "node:stream";
import { prefixBytes } from "@roundtrip/styles/grpc/server";

// Writes a stream of messages no faster than the other end reads: writers wait while too many bytes are buffered.

/** The high-water mark of a Node.js socket. grpc-js counts messages, not bytes. */
const maxBytesUnderWay = 64 * 1024;

export class PacedWriter {
  readonly #stream: Writable;
  readonly #signal: AbortSignal;
  #bytesUnderWay = 0;
  #limitBytes = maxBytesUnderWay;
  #onTaken: (() => void) | undefined;

  /** @param signal ends all waiting: grpc-js does not report on messages of a call that has ended. */
  constructor(stream: Writable, signal: AbortSignal) {
    this.#stream = stream;
    this.#signal = signal;
  }

  /** Resolves when the next message may be written; returns undefined if it may be at once. Rejects with the signal's reason. */
  write(message: Uint8Array): Promise<void> | undefined {
    // The prefix makes empty messages count too.
    const bytes = message.length + prefixBytes;
    this.#bytesUnderWay += bytes;
    this.#stream.write(message, () => {
      this.#bytesUnderWay -= bytes;
      if (this.#bytesUnderWay < this.#limitBytes) this.#onTaken?.();
    });
    return this.#bytesUnderWay < maxBytesUnderWay ? undefined : this.#whenBelow(maxBytesUnderWay);
  }

  /** Resolves when everything is written; rejects with the signal's reason. Do not write meanwhile. */
  async whenOut(): Promise<void> {
    if (this.#bytesUnderWay > 0) await this.#whenBelow(1);
  }

  #whenBelow(limitBytes: number): Promise<void> {
    this.#limitBytes = limitBytes;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(this.#signal.reason as Error);
      this.#onTaken = () => {
        this.#onTaken = undefined;
        this.#signal.removeEventListener("abort", onAbort);
        resolve();
      };
      if (this.#signal.aborted) onAbort();
      else this.#signal.addEventListener("abort", onAbort, { once: true });
    });
  }
}

// What the client bindings of gRPC have in common for calls with streams: their requests.

/** The serialised requests to send: one if the operation streams responses only. */
export async function* requestBytes(operation: Operation, requests: Requests): AsyncGenerator<Uint8Array> {
  if (operation.kind === "server_streaming") yield requestToBinary(operation, await onlyRequest(requests));
  else for await (const request of requests) yield requestToBinary(operation, request);
}

/** Sends messages as fast as the server reads them. Rejects with the reason of `ended` when the call ends first. */
export async function sendAll(
  stream: Writable,
  messages: AsyncIterable<Uint8Array>,
  ended: AbortSignal,
): Promise<void> {
  const writer = new PacedWriter(stream, ended);
  for await (const message of untilEnded(messages, ended)) {
    const taken = writer.write(message);
    if (taken !== undefined) await taken;
  }
  stream.end();
}
