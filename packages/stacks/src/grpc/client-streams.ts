// What the client bindings of gRPC have in common for calls with streams: their requests.
import { onlyRequest, requestToBinary, untilEnded, type Operation, type Requests } from "@roundtrip/contract";
import type { Writable } from "node:stream";
import { PacedWriter } from "./paced-writer.ts";

/** The serialised requests to send: one if the operation streams responses only. */
export async function* requestBytes(operation: Operation, requests: Requests): AsyncGenerator<Uint8Array> {
  if (operation.kind === "server_streaming") yield requestToBinary(operation, await onlyRequest(requests));
  else for await (const request of requests) yield requestToBinary(operation, request);
}

/** Sends messages as fast as the server reads them. Rejects with the reason of `ended` when the call ends first. */
export async function sendAll(
  stream: Writable,
  messages: AsyncIterable<Uint8Array>,
  ended: AbortSignal,
): Promise<void> {
  const writer = new PacedWriter(stream, ended);
  for await (const message of untilEnded(messages, ended)) {
    const taken = writer.write(message);
    if (taken !== undefined) await taken;
  }
  stream.end();
}
