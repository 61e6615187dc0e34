// A gRPC connection that is closed on purpose: before an answer, or in the middle of one. All calls on it end with it.
import { toBinary } from "@bufbuild/protobuf";
import { Metadata } from "@grpc/grpc-js";
import type { ConnectionCut, Operation } from "@roundtrip/contract";
import { firstHalfOf } from "../../first-half.ts";
import type { IncomingCall } from "../calls/call-context.ts";
import { streamOf } from "./unread-answers.ts";

const prefixBytes = 5;

/** A message as it travels: whether it is compressed, its length and itself. */
function framed(message: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(prefixBytes + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, prefixBytes);
  return frame;
}

/**
 * Closes the TCP connection of a call, after headers and the first half of a message where there is one. No goodbye (GOAWAY) goes before
 * it: that would tell clients that the call may be made again. What was written before has to be out.
 */
export function cutConnection({ output }: Operation, call: IncomingCall, { partOf }: ConnectionCut): void {
  const stream = streamOf(call);
  const close = (): void => stream.session?.socket.destroySoon();
  const part = partOf && firstHalfOf(() => framed(toBinary(output, partOf)));
  if (part === undefined || stream.destroyed) {
    close();
    return;
  }
  if (!stream.headersSent) call.sendMetadata(new Metadata());
  stream.write(part, close);
}
