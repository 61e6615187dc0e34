// One request, one response: the server's side of a unary call.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { handleUnaryCall } from "@grpc/grpc-js";
import type { Operation, Service } from "@roundtrip/contract";
import { requestFromBinary } from "../binary-messages.ts";
import { cancelWith, deadlineOf, serverCallOf } from "./call-context.ts";
import { failureOf } from "./errors.ts";
import { grpcMetadataOf } from "./metadata.ts";

/** A handler that answers an operation by asking the service. */
export function unaryHandler(service: Service, operation: Operation): handleUnaryCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    const deadline = deadlineOf(call);
    const serverCall = serverCallOf(call, deadline);
    const succeed = (response: Message): void => {
      const metadata = serverCall.metadataToSend();
      serverCall.finish();
      if (metadata !== undefined) call.sendMetadata(grpcMetadataOf(metadata));
      callback(null, toBinary(operation.output, response));
    };
    const fail = (thrown: unknown): void => {
      serverCall.finish();
      callback(failureOf(thrown, serverCall));
    };
    try {
      const answer = service.call(operation, requestFromBinary(operation, call.request), serverCall);
      // An answer that is there already costs no turn of the event loop.
      if (!(answer instanceof Promise)) {
        succeed(answer);
        return;
      }
      cancelWith(call, deadline, serverCall);
      answer.then(succeed).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}
