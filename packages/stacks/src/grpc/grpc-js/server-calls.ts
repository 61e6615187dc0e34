// Adapts grpc-js server calls to the interfaces of the gRPC style.
import {
  Metadata as GrpcMetadata,
  type Server,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  status,
  type StatusObject,
} from "@grpc/grpc-js";
import { type Metadata, ServerCall } from "@roundtrip/contract";
import type { Http2Server, ServerHttp2Stream } from "node:http2";
import type { Readable, Writable } from "node:stream";
import { HeaderMap } from "@roundtrip/styles/server";
import {
  type AnsweredCall,
  type AnswerStream,
  detailsTrailer,
  type Failure,
  type GrpcStatus,
  type RequestStream,
  type SingleAnswer,
} from "@roundtrip/styles/grpc/server";
import { closeSessionAfter, countedBytes, noteUnread, noteUnreadUntil } from "../../shared/http2/session-watch.ts";
import { endReceived, passedOnUntil } from "../../shared/http2/received-requests.ts";
import { asBuffer, grpcMetadataOf, headersOf, lacksHeader } from "./metadata.ts";
import { PacedWriter } from "../streams.ts";

// Private parts of grpc-js that servers need. Tests cover the behaviour that depends on each.

/** The private `call` of a handler's argument reads and writes. */
interface Internals {
  readonly call: {
    readonly stream: ServerHttp2Stream;
    readonly decoder: {
      readonly readState: number;
      readonly readMessageSize: number;
      readonly readMessageRemaining: number;
    };
  };
}

/** The Node.js servers behind a bound server, to set their HTTP/2 window: only clients read the grpc-js option for it. */
export function http2ServersOf(server: Server): Iterable<Http2Server> {
  return (server["http2Servers"] as unknown as ReadonlyMap<Http2Server, unknown>).keys();
}

/** A call whose one request is complete. */
export function hasRequest(call: object): void {
  endReceived(streamOf(call));
}

function streamOf(call: object): ServerHttp2Stream {
  return (call as Internals).call.stream;
}

/** Whether a request body ended inside a message. grpc-js treats that as the end of the stream. */
function isCutShort(call: object): boolean {
  return (call as Internals).call.decoder.readState !== 0;
}

/** The bytes of a call's body that are in no message yet. */
function waitingBytes(call: object): number {
  const { stream, decoder } = (call as Internals).call;
  const ofMessage = decoder.readState === 0 ? 0 : decoder.readMessageSize - decoder.readMessageRemaining;
  return stream.readableLength + ofMessage;
}

/** @param answerMetadata metadata of the handler; undefined if the headers already carry it. */
export function statusObjectOf(
  { code, message, details }: GrpcStatus,
  answerMetadata?: Metadata,
): Partial<StatusObject> {
  const bare = { code: status[code], details: message };
  if (details === undefined && answerMetadata === undefined) return bare;
  const metadata = answerMetadata === undefined ? new GrpcMetadata() : grpcMetadataOf(answerMetadata);
  if (details !== undefined) metadata.set(detailsTrailer, asBuffer(details));
  return { ...bare, metadata };
}

type SingleCall = ServerUnaryCall<Uint8Array, Uint8Array> | ServerReadableStream<Uint8Array, Uint8Array>;
type StreamCall = GrpcJsCall & Writable;

interface GrpcJsCall extends Pick<ServerUnaryCall<unknown, unknown>, "metadata" | "getDeadline" | "sendMetadata"> {
  on(event: "cancelled", listener: () => void): unknown;
}

/** The deadline in epoch milliseconds; Infinity without one. */
function deadlineOf(call: GrpcJsCall): number {
  return Number(call.getDeadline());
}

/** Metadata is converted when first read. */
function serverCallOf(call: GrpcJsCall): ServerCall {
  const deadline = deadlineOf(call);
  const metadata = new HeaderMap(call.metadata, headersOf, lacksHeader);
  const timeoutMs = deadline === Infinity ? undefined : deadline - Date.now();
  return new ServerCall(timeoutMs, metadata, streamOf(call).session);
}

abstract class IncomingCall<C extends GrpcJsCall> implements AnsweredCall {
  readonly serverCall: ServerCall;
  protected readonly call: C;

  constructor(call: C) {
    this.serverCall = serverCallOf(call);
    this.call = call;
  }

  watchCaller(): void {
    const deadline = deadlineOf(this.call);
    this.call.on("cancelled", () => {
      // grpc-js cancels at the deadline too.
      if (Date.now() < deadline) this.serverCall.cancel();
      else this.serverCall.expire();
    });
  }

  sendMetadata(metadata: Metadata): void {
    this.call.sendMetadata(grpcMetadataOf(metadata));
  }

  abstract fail(failure: Failure): void;

  cut(part: Uint8Array | undefined): void {
    const stream = streamOf(this.call);
    if (part !== undefined && !stream.destroyed && !stream.headersSent) this.call.sendMetadata(new GrpcMetadata());
    closeSessionAfter(stream, part);
  }
}

export class SingleAnswerCall extends IncomingCall<SingleCall> implements SingleAnswer {
  readonly #callback: sendUnaryData<Uint8Array>;

  constructor(call: SingleCall, callback: sendUnaryData<Uint8Array>) {
    super(call);
    this.#callback = callback;
  }

  answer(message: Uint8Array): void {
    if (message.length >= countedBytes) noteUnread(streamOf(this.call), message.length);
    this.#callback(null, message);
  }

  fail({ status: failed, metadata }: Failure): void {
    this.#callback(statusObjectOf(failed, metadata));
  }
}

export class AnswerStreamCall extends IncomingCall<StreamCall> implements AnswerStream {
  readonly #writer: PacedWriter;

  constructor(call: StreamCall) {
    super(call);
    this.#writer = new PacedWriter(call, this.serverCall.signal);
  }

  write(message: Uint8Array): Promise<void> | undefined {
    const taken = this.#writer.write(message);
    return taken && noteUnreadUntil(taken, streamOf(this.call), message.length);
  }

  whenOut(): Promise<void> {
    return this.#writer.whenOut();
  }

  end(): void {
    this.call.end();
  }

  fail({ status: failed, metadata }: Failure): void {
    this.call.emit("error", statusObjectOf(failed, metadata));
  }
}

export class IncomingRequests implements RequestStream {
  readonly #call: GrpcJsCall & Readable;

  constructor(call: GrpcJsCall & Readable) {
    this.#call = call;
  }

  async *read(): AsyncGenerator<Uint8Array, void, undefined> {
    // Stopping early must not destroy the stream, which also carries the answers.
    for await (const message of this.#call.iterator({ destroyOnReturn: false })) {
      passedOnUntil(streamOf(this.#call), waitingBytes(this.#call));
      yield message as Uint8Array;
    }
  }

  isCutShort(): boolean {
    return isCutShort(this.#call);
  }

  isExpired(): boolean {
    return Date.now() >= deadlineOf(this.#call);
  }
}
