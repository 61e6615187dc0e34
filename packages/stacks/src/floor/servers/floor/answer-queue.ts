// Sends answers in the order of their requests, and no faster than the peer reads.
import type { Socket } from "node:net";
import type { EchoAnswers } from "./echo-answers.ts";

/** Maximum number of waiting answers; the server stops reading requests at this limit. */
const maxWaiting = 1024;

/** One position in the order. A number is an echo of that many bytes; undefined is an answer that is not ready. */
interface QueuedAnswer {
  answer: Buffer | number | undefined;
}

export class AnswerQueue {
  readonly #socket: Socket;
  readonly #echoes: EchoAnswers;
  readonly #onSent: () => void;
  readonly #waiting: QueuedAnswer[] = [];

  constructor(socket: Socket, echoes: EchoAnswers, onSent: () => void) {
    this.#socket = socket;
    this.#echoes = echoes;
    this.#onSent = onSent;
    socket.on("drain", () => this.#flush());
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#socket.writableNeedDrain || this.#waiting.length >= maxWaiting;
  }

  /** Adds the next answer in order: bytes, the length of an echo, or a promise of bytes that never rejects. */
  add(answer: Buffer | number | Promise<Buffer>): void {
    if (answer instanceof Promise) void this.#addLater(answer);
    else if (this.#waiting.length === 0 && !this.#socket.writableNeedDrain) this.#write(answer);
    else this.#waiting.push({ answer });
  }

  async #addLater(answer: Promise<Buffer>): Promise<void> {
    const queued: QueuedAnswer = { answer: undefined };
    this.#waiting.push(queued);
    queued.answer = await answer;
    this.#flush();
  }

  #write(answer: Buffer | number): void {
    this.#socket.write(typeof answer === "number" ? this.#echoes.of(answer) : answer);
  }

  #flush(): void {
    while (!this.#socket.writableNeedDrain) {
      const answer = this.#waiting[0]?.answer;
      if (answer === undefined) break;
      this.#waiting.shift();
      this.#write(answer);
    }
    this.#onSent();
  }
}
