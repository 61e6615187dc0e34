// The server's end of one connection.
import { type Message, toBinary } from "@bufbuild/protobuf";
import {
  CallError,
  ConnectionCut,
  type Operation,
  requestFromBinary,
  ServerCall,
  type Service,
  firstHalfOf,
} from "@roundtrip/contract";
import { rpcStatusToBinary } from "@roundtrip/styles/server";
import type { Socket } from "node:net";
import {
  answerFrame,
  answerHeaderBytes,
  FrameReader,
  type FrameSink,
  isFlagged,
  type LearnParts,
  learnParts,
  lengthIn,
  maxIdBytes,
  noDeadline,
  requestHeaderBytes,
} from "./frames.ts";

// Answers to learn requests: real calls, so that later echoes have the size of a real answer.

function errorAnswer(thrown: unknown): Buffer {
  return answerFrame(rpcStatusToBinary(CallError.from(thrown)), true);
}

/** Calls the service. Never throws or rejects: errors are answers too. @param cut closes the connection, after these bytes if given. */
function learn(
  service: Service,
  { operationId, request }: LearnParts,
  call: ServerCall,
  cut: (part: Uint8Array | undefined) => void,
): Buffer | Promise<Buffer> {
  const succeed = (operation: Operation, response: Message): Buffer => {
    call.finish();
    return answerFrame(toBinary(operation.output, response), false);
  };
  const fail = (thrown: unknown): Buffer | Promise<Buffer> => {
    call.finish();
    if (!(thrown instanceof ConnectionCut)) return errorAnswer(thrown);
    const { output } = service.contract.operation(operationId);
    const { partOf } = thrown;
    cut(partOf && firstHalfOf(() => answerFrame(toBinary(output, partOf), false)));
    // The connection is closed: there is no answer.
    return new Promise(() => {});
  };
  try {
    const bytes = new Uint8Array(request.buffer, request.byteOffset, request.byteLength);
    const operation = service.contract.operation(operationId);
    const answer = service.call(operation, requestFromBinary(operation, bytes), call);
    if (!(answer instanceof Promise)) return succeed(operation, answer);
    return answer.then((response) => succeed(operation, response)).catch(fail);
  } catch (thrown) {
    return fail(thrown);
  }
}

// Answers to echoes. Only their length matters, so all connections share one buffer per length.

/** Maximum number of bytes to keep: enough for the response sizes of a few studies. */
const maxKeptBytes = 32 * 1024 * 1024;

export class EchoAnswers {
  readonly #byLength = new Map<number, Buffer>();
  #keptBytes = 0;
  #limitBytes: number;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** The maximum length of an echo: that of a message, or the longest answer so far. */
  get limitBytes(): number {
    return this.#limitBytes;
  }

  allow(bytes: number): void {
    this.#limitBytes = Math.max(this.#limitBytes, bytes);
  }

  /** An answer of this many bytes. Do not write to it. */
  of(bytes: number): Buffer {
    const known = this.#byLength.get(bytes);
    if (known !== undefined) return known;
    const answer = answerFrame(Buffer.alloc(bytes), false);
    if (this.#keptBytes + answer.length > maxKeptBytes) {
      this.#byLength.clear();
      this.#keptBytes = 0;
    }
    this.#byLength.set(bytes, answer);
    this.#keptBytes += answer.length;
    return answer;
  }
}

// Sends answers in the order of their requests, and no faster than the peer reads.

/** Maximum number of waiting answers; the server stops reading requests at this limit. */
const maxWaiting = 1024;

/** One position in the order. A number is an echo of that many bytes; undefined is an answer that is not ready. */
interface QueuedAnswer {
  answer: Buffer | number | undefined;
}

class AnswerQueue {
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

interface ServedConnectionOptions {
  readonly service: () => Service;
  readonly maxMessageBytes: number;
  readonly echoes: EchoAnswers;
  /** The first bytes to the client; they state whether the connection stays open for more calls. */
  readonly greeting: Buffer;
}

export class ServedConnection implements FrameSink {
  readonly #socket: Socket;
  readonly #service: () => Service;
  readonly #maxMessageBytes: number;
  readonly #echoes: EchoAnswers;
  readonly #answers: AnswerQueue;
  readonly #reader = new FrameReader(requestHeaderBytes, this);
  // By the number of the learn request.
  readonly #calls = new Map<number, ServerCall>();
  #learnRequests = 0;
  #first = 0;
  #second = 0;
  #framesInChunk = 0;
  #isClosing = false;

  constructor(socket: Socket, { service, maxMessageBytes, echoes, greeting }: ServedConnectionOptions) {
    this.#socket = socket;
    this.#service = service;
    this.#maxMessageBytes = maxMessageBytes;
    this.#echoes = echoes;
    this.#answers = new AnswerQueue(socket, echoes, () => this.#onSent());
    socket.write(greeting);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    // After any error, "close" follows.
    socket.on("error", () => {});
    socket.on("close", () => {
      for (const call of this.#calls.values()) call.cancel();
    });
  }

  /** Sends the outstanding answers, then ends the connection. */
  close(): void {
    this.#isClosing = true;
    this.#onSent();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  begin(first: number, second: number): boolean {
    // From the second request of a chunk on, answers are sent together.
    if (this.#framesInChunk === 1) this.#socket.cork();
    this.#first = first;
    this.#second = second;
    if (isFlagged(first)) return lengthIn(first) <= this.#maxMessageBytes + maxIdBytes;
    if (first > this.#maxMessageBytes || second > this.#echoes.limitBytes)
      throw new Error("the echo is longer than any stored answer");
    return false;
  }

  end(body: Buffer | undefined): boolean {
    this.#framesInChunk += 1;
    if (!isFlagged(this.#first)) this.#answers.add(this.#second);
    else if (lengthIn(this.#first) === 0) this.#calls.get(this.#second)?.cancel();
    else this.#answers.add(this.#learn(body));
    return !this.#answers.isFull;
  }

  #read(chunk: Buffer): void {
    if (this.#isClosing) return;
    this.#framesInChunk = 0;
    try {
      const taken = this.#reader.read(chunk);
      if (this.#answers.isFull) this.#socket.pause();
      if (taken < chunk.length) this.#socket.unshift(chunk.subarray(taken));
    } catch {
      // Another protocol or another client: there is no useful answer.
      this.#socket.destroy();
    }
    if (this.#socket.writableCorked > 0) this.#socket.uncork();
  }

  #learn(body: Buffer | undefined): Buffer | Promise<Buffer> {
    const number = this.#learnRequests;
    this.#learnRequests += 1;
    const parts = body === undefined ? undefined : learnParts(body);
    if (body !== undefined && parts === undefined) throw new Error("malformed");
    if (parts === undefined || parts.request.length > this.#maxMessageBytes) {
      return errorAnswer(
        new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${this.#maxMessageBytes} bytes`),
      );
    }
    const timeoutMs = this.#second === noDeadline ? undefined : this.#second;
    const call = new ServerCall(timeoutMs, undefined, this.#socket);
    const answer = learn(this.#service(), parts, call, (part) => this.#cut(part));
    if (!(answer instanceof Promise)) return this.#allowed(answer);
    this.#calls.set(number, call);
    return answer.then((bytes) => {
      this.#calls.delete(number);
      return this.#allowed(bytes);
    });
  }

  #cut(part: Uint8Array | undefined): void {
    if (part !== undefined) this.#socket.write(part);
    this.#socket.destroySoon();
  }

  #allowed(answer: Buffer): Buffer {
    this.#echoes.allow(answer.length - answerHeaderBytes);
    return answer;
  }

  #onSent(): void {
    if (this.#isClosing) {
      if (this.#answers.isEmpty) this.#socket.end();
    } else if (this.#socket.isPaused() && !this.#answers.isFull) this.#socket.resume();
  }
}
