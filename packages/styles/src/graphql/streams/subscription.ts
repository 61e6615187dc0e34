// Subscriptions of a client, as server-sent events.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type CallOptions, ClientSideError, onlyRequest } from "@roundtrip/contract";
import { dataOf, type DocumentCall, responseOf } from "../documents/call.ts";
import { eventStreamType } from "../index.ts";
import { type HttpStream, wholeResponse } from "../../shared/http/client.ts";
import { readEvents, type ServerSentEvent } from "../../shared/http/event-reader.ts";
import { serverUnavailable } from "../../shared/client.ts";

// The client side of a subscription: one request, then a stream of events with a message in each.

export interface Subscription {
  readonly documentCall: DocumentCall;
  /** The server's address, for error messages. */
  readonly origin: string;
  /** A larger message fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  readonly open: (request: Message, options: CallOptions) => Promise<HttpStream>;
}

function messageOf({ data }: ServerSentEvent, documentCall: DocumentCall): Message {
  return documentCall.answer(dataOf(responseOf(200, data), 200, [documentCall]));
}

/** The messages of a subscription. Reading throws a CallError; stopping early closes the connection, which cancels the call. */
export async function* subscribe(
  { documentCall, origin, maxMessageBytes, open }: Subscription,
  requests: AsyncIterable<Message> | Iterable<Message>,
  options: CallOptions,
): AsyncGenerator<Message, void, undefined> {
  const response = await open(await onlyRequest(requests), options);
  const { status, headers, body } = response;
  if (!String(headers["content-type"]).startsWith(eventStreamType)) {
    const whole = await wholeResponse(response, maxMessageBytes);
    if (status === 406) throw new ClientSideError("UNIMPLEMENTED", "the server sends no events (HTTP status 406)");
    dataOf(responseOf(status, whole.body.toString()), status, [documentCall]);
    throw new CallError("UNKNOWN", `no stream of events (HTTP status ${status})`);
  }
  for await (const event of readEvents(body, maxMessageBytes)) {
    if (event.event === "complete") return;
    if (event.event === "next") yield messageOf(event, documentCall);
  }
  throw serverUnavailable(origin, "the stream broke off");
}
