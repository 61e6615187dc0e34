// A call as grpc-js hands it to a server, as what the contract's services know of a call.
import type { ServerUnaryCall } from "@grpc/grpc-js";
import { ServerCall } from "@roundtrip/contract";
import { HeaderMap } from "../../header-map.ts";
import { headersOf, lacksHeader } from "./metadata.ts";

/** What calls of every kind have. */
export interface IncomingCall extends Pick<
  ServerUnaryCall<unknown, unknown>,
  "metadata" | "getDeadline" | "sendMetadata"
> {
  on(event: "cancelled", listener: () => void): unknown;
}

/** Epoch milliseconds; Infinity without a deadline. */
export function deadlineOf(call: IncomingCall): number {
  return Number(call.getDeadline());
}

/** Metadata is converted when somebody looks. */
export function serverCallOf(call: IncomingCall, deadline: number): ServerCall {
  const metadata = new HeaderMap(call.metadata, headersOf, lacksHeader);
  return new ServerCall(deadline === Infinity ? undefined : deadline - Date.now(), metadata);
}

/** Lets a call that takes its time hear that its caller went away. */
export function cancelWith(call: IncomingCall, deadline: number, serverCall: ServerCall): void {
  call.on("cancelled", () => {
    // grpc-js cancels at the deadline too; ServerCall's own timer is then about to say so.
    if (Date.now() < deadline) serverCall.cancel();
  });
}
