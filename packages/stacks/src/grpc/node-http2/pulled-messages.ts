// The messages of a stream, received on demand: while its reader has some left, the stream is paused and HTTP/2's windows stop the other end.
import type { MessageReader } from "@roundtrip/styles/grpc/server";
import { nextTurn } from "@roundtrip/contract";
import type { Http2Stream } from "node:http2";
import { passedOnUntil } from "../../shared/http2/received-requests.ts";

export class PulledMessages {
  readonly #reader: MessageReader;
  #stream: Http2Stream | undefined;
  #isEnded = false;
  #fault: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(reader: MessageReader) {
    this.#reader = reader;
  }

  /** Starts with this stream, which passes its "data" to {@link add}. */
  readFrom(stream: Http2Stream): void {
    this.#stream = stream;
    if (this.#wake === undefined) stream.pause();
  }

  add(chunk: Buffer): void {
    this.#reader.add(chunk);
    this.#stream?.pause();
    this.#wake?.();
  }

  /** No more will come. @param fault thrown to the reader after the messages before it. */
  end(fault?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#fault = fault;
    this.#wake?.();
  }

  /** Throws the fault of {@link end}, or a CallError for a message that cannot be read. */
  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const message = this.#reader.nextInTurn();
      if (message !== undefined) {
        this.#notePassedOn();
        yield message instanceof Promise ? await message : message;
      } else if (this.#fault !== undefined) throw this.#fault;
      else if (this.#isEnded) return;
      else await this.#more();
    }
  }

  #notePassedOn(): void {
    if (this.#stream !== undefined)
      passedOnUntil(this.#stream, this.#reader.waitingBytes + this.#stream.readableLength);
  }

  async #more(): Promise<void> {
    const turn = nextTurn();
    if (turn !== undefined) await turn;
    if (this.#isEnded) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#stream?.resume();
    });
    this.#wake = undefined;
  }
}
