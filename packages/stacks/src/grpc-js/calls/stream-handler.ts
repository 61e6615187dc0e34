// Streams of requests, of responses or of both: the server's side of such a call.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type {
  handleBidiStreamingCall,
  handleClientStreamingCall,
  handleServerStreamingCall,
  ServerDuplexStream,
  ServerWritableStream,
} from "@grpc/grpc-js";
import {
  CallError,
  callerCancelled,
  ConnectionCut,
  deadlineExceeded,
  only,
  onlyAnswer,
  type Operation,
  type ServerCall,
  type Service,
} from "@roundtrip/contract";
import type { Readable } from "node:stream";
import { requestFromBinary } from "../../binary-messages.ts";
import { inTime } from "../../in-time.ts";
import { cutConnection } from "../connections/cut-connection.ts";
import { cancelWith, deadlineOf, serverCallOf, type IncomingCall } from "./call-context.ts";
import { failureOf } from "../errors.ts";
import { grpcMetadataOf } from "./metadata.ts";
import { PacedWriter } from "./paced-writer.ts";
import { countedBytes, noteUnread } from "../connections/unread-answers.ts";

/**
 * True when the body ended inside a message. grpc-js takes that for the end of the stream; where it stands is not public, and a test
 * sees it from outside.
 */
function isCutShort(call: Readable): boolean {
  const { decoder } = (call as unknown as { readonly call: { readonly decoder: { readonly readState: number } } }).call;
  return decoder.readState !== 0;
}

/** The requests of a stream, each read when it is asked for. */
async function* requestsOf(operation: Operation, call: Readable, deadline: number): AsyncGenerator<Message> {
  try {
    // Reading no further must not take away the stream that the answers go out on.
    for await (const bytes of call.iterator({ destroyOnReturn: false })) {
      yield requestFromBinary(operation, bytes as Uint8Array);
    }
    if (isCutShort(call)) throw new CallError("INVALID_ARGUMENT", "the last request is cut short");
  } catch (thrown) {
    if (thrown instanceof CallError) throw thrown;
    // The stream broke off, because the call is over.
    throw Date.now() < deadline ? callerCancelled() : deadlineExceeded();
  }
}

function sendMetadata(call: IncomingCall, serverCall: ServerCall): void {
  const metadata = serverCall.metadataToSend();
  if (metadata !== undefined) call.sendMetadata(grpcMetadataOf(metadata));
}

/** Writes answers as the caller reads them, then the status. */
async function answerAll(
  operation: Operation,
  call: ServerWritableStream<Uint8Array, Uint8Array> | ServerDuplexStream<Uint8Array, Uint8Array>,
  serverCall: ServerCall,
  answersOf: () => AsyncIterable<Message>,
): Promise<void> {
  const writer = new PacedWriter(call, serverCall.signal);
  let isBegun = false;
  try {
    for await (const answer of answersOf()) {
      const bytes = toBinary(operation.output, answer);
      if (!isBegun) sendMetadata(call, serverCall);
      isBegun = true;
      const room = writer.write(bytes);
      if (room === undefined) continue;
      // As much as a writer lets be under way, or one message that is larger.
      noteUnread(call, bytes.length);
      await room;
      noteUnread(call, 0);
    }
    if (!isBegun) sendMetadata(call, serverCall);
    serverCall.finish();
    call.end();
  } catch (thrown) {
    if (thrown instanceof ConnectionCut) {
      // What was written before is in other hands by then; a caller who goes meanwhile has ended the connection.
      await writer.whenOut().catch(() => {});
      serverCall.finish();
      cutConnection(operation, call, thrown);
      return;
    }
    serverCall.finish();
    // What has been sent before the first answer is not said again.
    if (isBegun) serverCall.answerMetadata.clear();
    call.emit("error", failureOf(thrown, serverCall));
  }
}

/** One request, a stream of responses. */
export function serverStreamHandler(
  service: Service,
  operation: Operation,
): handleServerStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    const deadline = deadlineOf(call);
    const serverCall = serverCallOf(call, deadline);
    cancelWith(call, deadline, serverCall);
    void answerAll(operation, call, serverCall, () =>
      service.stream(operation, only(requestFromBinary(operation, call.request)), serverCall),
    );
  };
}

/** A stream of requests, and one of responses. */
export function bidiStreamHandler(
  service: Service,
  operation: Operation,
): handleBidiStreamingCall<Uint8Array, Uint8Array> {
  return (call) => {
    const deadline = deadlineOf(call);
    const serverCall = serverCallOf(call, deadline);
    cancelWith(call, deadline, serverCall);
    void answerAll(operation, call, serverCall, () =>
      service.stream(operation, requestsOf(operation, call, deadline), serverCall),
    );
  };
}

/** A stream of requests, one response. */
export function clientStreamHandler(
  service: Service,
  operation: Operation,
  maxRequestMs: number,
): handleClientStreamingCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    const deadline = deadlineOf(call);
    const serverCall = serverCallOf(call, deadline);
    cancelWith(call, deadline, serverCall);
    const succeed = (response: Message): void => {
      const bytes = toBinary(operation.output, response);
      sendMetadata(call, serverCall);
      serverCall.finish();
      if (bytes.length >= countedBytes) noteUnread(call, bytes.length);
      callback(null, bytes);
    };
    const fail = (thrown: unknown): void => {
      serverCall.finish();
      if (thrown instanceof ConnectionCut) {
        cutConnection(operation, call, thrown);
        return;
      }
      callback(failureOf(thrown, serverCall));
    };
    const requests = inTime(requestsOf(operation, call, deadline), maxRequestMs);
    onlyAnswer(operation, service.stream(operation, requests, serverCall))
      .then(succeed)
      .catch(fail);
  };
}
