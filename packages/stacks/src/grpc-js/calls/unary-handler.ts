// One request, one response: the server's side of a unary call.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { handleUnaryCall, sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { ConnectionCut, type Operation, type ServerCall, type Service } from "@roundtrip/contract";
import { requestFromBinary } from "../../binary-messages.ts";
import { cutConnection } from "../connections/cut-connection.ts";
import { cancelWith, deadlineOf, serverCallOf } from "./call-context.ts";
import { failureOf } from "../errors.ts";
import { grpcMetadataOf } from "./metadata.ts";
import { countedBytes, noteUnread } from "../connections/unread-answers.ts";

/** What an answer goes out on. */
interface Answering {
  readonly call: ServerUnaryCall<Uint8Array, Uint8Array>;
  readonly serverCall: ServerCall;
  readonly callback: sendUnaryData<Uint8Array>;
}

function succeed({ output }: Operation, { call, serverCall, callback }: Answering, response: Message): void {
  const metadata = serverCall.metadataToSend();
  serverCall.finish();
  if (metadata !== undefined) call.sendMetadata(grpcMetadataOf(metadata));
  const bytes = toBinary(output, response);
  if (bytes.length >= countedBytes) noteUnread(call, bytes.length);
  callback(null, bytes);
}

function fail(operation: Operation, { call, serverCall, callback }: Answering, thrown: unknown): void {
  serverCall.finish();
  if (thrown instanceof ConnectionCut) {
    cutConnection(operation, call, thrown);
    return;
  }
  callback(failureOf(thrown, serverCall));
}

/** A handler that answers an operation by asking the service. */
export function unaryHandler(service: Service, operation: Operation): handleUnaryCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    const deadline = deadlineOf(call);
    const serverCall = serverCallOf(call, deadline);
    const answering = { call, serverCall, callback };
    try {
      const answer = service.call(operation, requestFromBinary(operation, call.request), serverCall);
      // An answer that is there already costs no turn of the event loop.
      if (!(answer instanceof Promise)) {
        succeed(operation, answering, answer);
        return;
      }
      cancelWith(call, deadline, serverCall);
      answer
        .then((response) => succeed(operation, answering, response))
        .catch((thrown: unknown) => fail(operation, answering, thrown));
    } catch (thrown) {
      fail(operation, answering, thrown);
    }
  };
}
