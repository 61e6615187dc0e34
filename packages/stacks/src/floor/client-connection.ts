// The client's end of one connection: calls go out at once, answers come in the same order.
import { CallError } from "@roundtrip/contract";
import { connect as connectTcp, type Socket } from "node:net";
import { rpcStatusFromBinary } from "../rpc-status.ts";
import type { ConnectOptions } from "../stack.ts";
import { tlsOverTcp } from "../tls-over-tcp.ts";
import { FrameReader, type FrameSink } from "./frame-reader.ts";
import { answerHeaderBytes, giveUpRequest, isFlagged, lengthIn } from "./frames.ts";
import type { PendingCall } from "./pending-call.ts";

/** An error larger than this is cut off: no honest one is. */
const maxErrorBytes = 1024 * 1024;
const readBytes = 64 * 1024;
const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

function open(url: URL, ca: string | undefined, onData: (chunk: Buffer) => void): Socket {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const port = Number(url.port) || (defaultPorts[url.protocol] as number);
  if (url.protocol === "https:") return tlsOverTcp({ host, port, ca }).on("data", onData);
  // One buffer for everything that is read: bodies that are wanted are copied out of it.
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

export class ClientConnection implements FrameSink {
  readonly #target: string;
  readonly #maxMessageBytes: number;
  readonly #socket: Socket;
  readonly #reader = new FrameReader(answerHeaderBytes, this);
  readonly #waiting: PendingCall[] = [];
  readonly #closed: Promise<void>;
  #first = 0;
  #learnRequests = 0;
  #error: Error | undefined;
  #isClosing = false;

  /** @param onClosed called when the connection is of no more use. */
  constructor({ url, ca, maxMessageBytes }: ConnectOptions, onClosed: () => void) {
    const parsed = new URL(url);
    this.#target = parsed.origin;
    this.#maxMessageBytes = maxMessageBytes;
    const socket = open(parsed, ca, (chunk) => this.#read(chunk));
    this.#socket = socket;
    socket.on("error", (error) => (this.#error = error));
    this.#closed = new Promise((resolve) => {
      socket.once("close", () => {
        onClosed();
        this.#failAll();
        resolve();
      });
    });
    // Without onread, nothing reads the end.
    socket.once("end", onClosed);
  }

  /** The number that the next learn request will have. */
  get learnRequests(): number {
    return this.#learnRequests;
  }

  /** Tells the server that nobody waits for a learn request's answer, which still takes its turn. */
  giveUp(number: number): void {
    if (this.#socket.writable) this.#socket.write(giveUpRequest(number));
  }

  send(frame: Buffer, call: PendingCall): void {
    // Calls that are made together leave together; the first one leaves at once.
    if (this.#waiting.length > 0 && this.#socket.writableCorked === 0) {
      this.#socket.cork();
      process.nextTick(() => this.#socket.uncork());
    }
    if (call.echoBytes === undefined) this.#learnRequests += 1;
    this.#waiting.push(call);
    this.#socket.write(frame);
  }

  /** Waits for the answers to come, then ends the connection. */
  close(): Promise<void> {
    this.#isClosing = true;
    this.#endWhenIdle();
    return this.#closed;
  }

  begin(first: number): boolean {
    const call = this.#waiting[0];
    if (call === undefined) throw new Error("an answer without a call");
    this.#first = first;
    if (call.echoBytes === undefined) {
      return lengthIn(first) <= (isFlagged(first) ? maxErrorBytes : this.#maxMessageBytes);
    }
    if (first !== call.echoBytes) throw new Error("an echo of another length");
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
      this.#reader.read(chunk);
    } catch (thrown) {
      this.#socket.destroy(thrown as Error);
    }
    if (this.#isClosing) this.#endWhenIdle();
  }

  #endWhenIdle(): void {
    if (this.#waiting.length === 0) this.#socket.end();
  }

  #failAll(): void {
    const why = this.#error?.message ?? "the connection was closed";
    const error = new CallError("UNAVAILABLE", `no answer from ${this.#target}: ${why}`, {}, { cause: this.#error });
    for (const call of this.#waiting.splice(0)) call.fail(error);
  }
}
