// Calls of a grpc-js server, in the form in which the gRPC style answers them.
import {
  Metadata as GrpcMetadata,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
} from "@grpc/grpc-js";
import { ServerCall, type Metadata } from "@roundtrip/contract";
import type { Readable, Writable } from "node:stream";
import { HeaderMap } from "@roundtrip/styles/server";
import type { AnsweredCall, AnswerStream, Failure, RequestStream, SingleAnswer } from "@roundtrip/styles/grpc/server";
import { closeSessionAfter } from "../../../shared/http2/close-session.ts";
import { countedBytes, noteUnread } from "../../../shared/http2/unread-answers.ts";
import { grpcMetadataOf, headersOf, lacksHeader } from "../../grpc-js/metadata.ts";
import { PacedWriter } from "../../grpc-js/paced-writer.ts";
import { isCutShort, streamOf } from "./grpc-js-internals.ts";
import { statusObjectOf } from "./status-object.ts";

type SingleCall = ServerUnaryCall<Uint8Array, Uint8Array> | ServerReadableStream<Uint8Array, Uint8Array>;
type StreamCall = GrpcJsCall & Writable;

/** What calls of every kind have. */
interface GrpcJsCall extends Pick<ServerUnaryCall<unknown, unknown>, "metadata" | "getDeadline" | "sendMetadata"> {
  on(event: "cancelled", listener: () => void): unknown;
}

/** Epoch milliseconds; Infinity without a deadline. */
function deadlineOf(call: GrpcJsCall): number {
  return Number(call.getDeadline());
}

/** Metadata is converted when it is first read. */
function serverCallOf(call: GrpcJsCall): ServerCall {
  const deadline = deadlineOf(call);
  const metadata = new HeaderMap(call.metadata, headersOf, lacksHeader);
  return new ServerCall(deadline === Infinity ? undefined : deadline - Date.now(), metadata);
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
      // grpc-js cancels at the deadline too; ServerCall's own timer is then about to say so.
      if (Date.now() < deadline) this.serverCall.cancel();
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

/** A call with one answer. */
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

  fail({ status, metadata }: Failure): void {
    this.#callback(statusObjectOf(status, metadata));
  }
}

/** A call with a stream of answers. */
export class AnswerStreamCall extends IncomingCall<StreamCall> implements AnswerStream {
  readonly #writer: PacedWriter;

  constructor(call: StreamCall) {
    super(call);
    this.#writer = new PacedWriter(call, this.serverCall.signal);
  }

  write(message: Uint8Array): Promise<void> | undefined {
    const taken = this.#writer.write(message);
    return taken && this.#unread(message.length, taken);
  }

  whenOut(): Promise<void> {
    return this.#writer.whenOut();
  }

  end(): void {
    this.call.end();
  }

  fail({ status, metadata }: Failure): void {
    this.call.emit("error", statusObjectOf(status, metadata));
  }

  /** What waits is as much as a writer lets be under way, or one message that is larger. */
  async #unread(bytes: number, taken: Promise<void>): Promise<void> {
    const stream = streamOf(this.call);
    noteUnread(stream, bytes);
    await taken;
    noteUnread(stream, 0);
  }
}

/** The requests of a call that streams them. */
export class IncomingRequests implements RequestStream {
  readonly #call: GrpcJsCall & Readable;

  constructor(call: GrpcJsCall & Readable) {
    this.#call = call;
  }

  read(): AsyncIterable<Uint8Array> {
    // Reading no further must not take away the stream that the answers go out on.
    return this.#call.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  }

  isCutShort(): boolean {
    return isCutShort(this.#call);
  }

  isExpired(): boolean {
    return Date.now() >= deadlineOf(this.#call);
  }
}
