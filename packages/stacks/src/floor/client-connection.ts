// The client's end of one connection: it sends calls at once and receives answers in the same order.
import { callerCancelled, CallError, type CallOptions, deadlineExceeded, endlessMs } from "@roundtrip/contract";
import { connect as connectTcp, type Socket } from "node:net";
import { rpcStatusFromBinary, serverUnavailable } from "@roundtrip/styles/client";
import { hostAndPortOf } from "../shared/listening.ts";
import type { ConnectOptions } from "../basics/stack.ts";
import { tlsOverTcp, type TlsTarget } from "../shared/tls.ts";
import {
  answerHeaderBytes,
  closingGreeting,
  FrameReader,
  type FrameSink,
  giveUpRequest,
  greeting,
  isFlagged,
  lengthIn,
} from "./frames.ts";

// Reads the first bytes of a server, which distinguish a floor from a server of another protocol.

/** Maximum time until the greeting has arrived, connecting included. */
export const greetingLimitMs = 5_000;

const closingText = closingGreeting.toString("latin1");
const texts = [greeting.toString("latin1"), closingText];

export class GreetingReader {
  readonly #timer: NodeJS.Timeout;
  #heard = "";

  /** @param onLate called when the greeting does not arrive in time. */
  constructor(onLate: (error: Error) => void) {
    const late = new Error(`not a Roundtrip floor, no greeting within ${greetingLimitMs / 1000} s`);
    this.#timer = setTimeout(() => onLate(late), greetingLimitMs);
  }

  get isDone(): boolean {
    return this.#heard.length === greeting.length;
  }

  /** Whether the server asks to close the connection after the current calls. */
  get isClosing(): boolean {
    return this.#heard === closingText;
  }

  /** Returns the bytes after the greeting. Throws for anything but a greeting. */
  read(chunk: Buffer): Buffer {
    const bytes = greeting.length - this.#heard.length;
    this.#heard += chunk.toString("latin1", 0, bytes);
    if (!texts.some((text) => text.startsWith(this.#heard))) throw new Error("the server is not a Roundtrip floor");
    if (this.isDone) this.stop();
    return chunk.subarray(bytes);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

interface PendingCall {
  /** The length of an echo; undefined for a learn request, whose answer needs its body. */
  readonly echoBytes: number | undefined;
  succeed(body: Buffer | undefined): void;
  fail(error: CallError): void;
}

/** The same call with deadline and abort signal. After an early failure, its answer is dropped. @param giveUp called when the caller aborts. */
export function withDeadlineAndAbort(
  call: PendingCall,
  { timeoutMs, signal }: CallOptions,
  giveUp: () => void,
): PendingCall {
  if (timeoutMs === undefined && signal === undefined) return call;
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;
  const settle = (): boolean => {
    if (isSettled) return false;
    isSettled = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    return true;
  };
  const fail = (error: CallError): void => {
    if (settle()) call.fail(error);
  };
  const onAbort = (): void => {
    fail(callerCancelled());
    giveUp();
  };
  signal?.addEventListener("abort", onAbort);
  if (timeoutMs !== undefined && timeoutMs < endlessMs) {
    // Node.js warns about timers with a negative delay.
    const delayMs = Math.max(timeoutMs, 0);
    timer = setTimeout(() => fail(deadlineExceeded()), delayMs);
  }
  return {
    echoBytes: call.echoBytes,
    succeed(body) {
      if (settle()) call.succeed(body);
    },
    fail,
  };
}

/** The maximum size of an error. No real error is larger. */
const maxErrorBytes = 1024 * 1024;
const readBytes = 64 * 1024;

/** A socket: over plain TCP at once, over TLS later. */
function open(
  url: URL,
  tls: Pick<TlsTarget, "ca" | "sessions">,
  onData: (chunk: Buffer) => void,
): Socket | Promise<Socket> {
  const { host, port } = hostAndPortOf(url);
  if (url.protocol === "https:")
    return tlsOverTcp({ host, port, ...tls, protocols: [] }).then((socket) => socket.on("data", onData));
  // All reads use one buffer; bodies that the client needs are copied out of it.
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const onread = {
    buffer,
    callback: (bytes: number): boolean => {
      onData(buffer.subarray(0, bytes));
      return true;
    },
  };
  return connectTcp({ host, port, noDelay: true, onread });
}

export interface ClientConnectionOptions
  extends Pick<ConnectOptions, "url" | "maxMessageBytes">, Pick<TlsTarget, "ca" | "sessions"> {}

export class ClientConnection implements FrameSink {
  readonly #target: string;
  readonly #maxMessageBytes: number;
  readonly #onClosed: () => void;
  readonly #greeting: GreetingReader;
  readonly #reader = new FrameReader(answerHeaderBytes, this);
  readonly #waiting: PendingCall[] = [];
  readonly #closed = Promise.withResolvers<void>();
  readonly #early: Buffer[] = [];
  #socket: Socket | undefined;
  #first = 0;
  #learnRequests = 0;
  #isClosing = false;
  #isFailed = false;

  /** @param onClosed called when the connection accepts no more calls. */
  constructor({ url, ca, sessions, maxMessageBytes }: ClientConnectionOptions, onClosed: () => void) {
    const parsed = new URL(url);
    // Not `origin`: only schemes that browsers know have one.
    this.#target = `${parsed.protocol}//${parsed.host}`;
    this.#maxMessageBytes = maxMessageBytes;
    this.#onClosed = onClosed;
    this.#greeting = new GreetingReader((error) => this.#giveUp(error));
    const socket = open(parsed, { ca, sessions }, (chunk) => this.#read(chunk));
    if (socket instanceof Promise) socket.then((late) => this.#adopt(late)).catch((error: Error) => this.#fail(error));
    else this.#adopt(socket);
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get learnRequests(): number {
    return this.#learnRequests;
  }

  /** Cancels a learn request on the server. Its answer still arrives in order. */
  giveUp(number: number): void {
    if (this.#socket?.writable !== false) this.#write(giveUpRequest(number));
  }

  send(frame: Buffer, call: PendingCall): void {
    // Calls made in the same turn are sent together; the first one is sent at once.
    const socket = this.#socket;
    if (this.#waiting.length > 0 && socket?.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    if (call.echoBytes === undefined) this.#learnRequests += 1;
    this.#waiting.push(call);
    this.#write(frame);
  }

  /** Accepts no call after the current ones, and ends the connection after the last answer. */
  retire(): void {
    this.#isClosing = true;
    this.#onClosed();
  }

  close(): Promise<void> {
    this.#isClosing = true;
    this.#endWhenIdle();
    return this.closed;
  }

  begin(first: number): boolean {
    const call = this.#waiting[0];
    if (call === undefined) throw new Error("unexpected answer");
    this.#first = first;
    if (call.echoBytes === undefined) {
      return lengthIn(first) <= (isFlagged(first) ? maxErrorBytes : this.#maxMessageBytes);
    }
    if (first !== call.echoBytes) throw new Error("the echo has another length than the answer");
    return false;
  }

  end(body: Buffer | undefined): boolean {
    const call = this.#waiting.shift() as PendingCall;
    if (call.echoBytes === undefined && body === undefined) {
      call.fail(new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${this.#maxMessageBytes} bytes`));
    } else if (isFlagged(this.#first)) call.fail(rpcStatusFromBinary(body as Buffer));
    else call.succeed(body);
    return true;
  }

  #read(chunk: Buffer): void {
    try {
      this.#reader.read(this.#greeting.isDone ? chunk : this.#greet(chunk));
    } catch (thrown) {
      this.#socket?.destroy(thrown as Error);
    }
    if (this.#isClosing) this.#endWhenIdle();
  }

  #greet(chunk: Buffer): Buffer {
    const rest = this.#greeting.read(chunk);
    if (this.#greeting.isClosing) this.retire();
    return rest;
  }

  #giveUp(error: Error): void {
    if (this.#socket === undefined) this.#fail(error);
    else this.#socket.destroy(error);
  }

  #adopt(socket: Socket): void {
    this.#socket = socket;
    // The connection failed before the socket was open.
    if (this.#isFailed) socket.destroy();
    let cause: Error | undefined;
    socket.on("error", (error) => (cause = error));
    socket.once("close", () => this.#fail(cause));
    // Without `onread`, nothing reads to the end.
    socket.once("end", this.#onClosed);
    socket.cork();
    for (const frame of this.#early.splice(0)) socket.write(frame);
    socket.uncork();
  }

  #write(frame: Buffer): void {
    if (this.#socket === undefined) this.#early.push(frame);
    else this.#socket.write(frame);
  }

  #endWhenIdle(): void {
    if (this.#waiting.length === 0) this.#socket?.end();
  }

  #fail(cause: Error | undefined): void {
    this.#isFailed = true;
    this.#greeting.stop();
    this.#onClosed();
    const error = serverUnavailable(this.#target, cause);
    for (const call of this.#waiting.splice(0)) call.fail(error);
    this.#closed.resolve();
  }
}
