// One request, one response: the server's side of a unary call.
import { toBinary, type Message } from "@bufbuild/protobuf";
import type { handleUnaryCall, ServerUnaryCall } from "@grpc/grpc-js";
import { CallError, ServerCall, type Operation, type Service } from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http";
import { requestFromBinary } from "../binary-messages.ts";
import { HeaderMap } from "../header-map.ts";
import { statusOf } from "./errors.ts";

/** Epoch milliseconds; Infinity without a deadline. */
function deadlineOf(call: ServerUnaryCall<Uint8Array, Uint8Array>): number {
  return Number(call.getDeadline());
}

/** A handler that answers an operation by asking the service. */
export function unaryHandler(service: Service, operation: Operation): handleUnaryCall<Uint8Array, Uint8Array> {
  return (call, callback) => {
    const deadline = deadlineOf(call);
    const metadata = new HeaderMap(() => call.metadata.toHttp2Headers() as IncomingHttpHeaders);
    const serverCall = new ServerCall(deadline === Infinity ? undefined : deadline - Date.now(), metadata);
    const succeed = (response: Message): void => {
      serverCall.finish();
      callback(null, toBinary(operation.output, response));
    };
    const fail = (thrown: unknown): void => {
      serverCall.finish();
      callback(statusOf(CallError.from(thrown)));
    };
    try {
      const answer = service.call(operation, requestFromBinary(operation, call.request), serverCall);
      // An answer that is there already costs no turn of the event loop.
      if (!(answer instanceof Promise)) {
        succeed(answer);
        return;
      }
      call.on("cancelled", () => {
        // grpc-js cancels at the deadline too; ServerCall's own timer is then about to say so.
        if (Date.now() < deadline) serverCall.cancel();
      });
      answer.then(succeed).catch(fail);
    } catch (thrown) {
      fail(thrown);
    }
  };
}
