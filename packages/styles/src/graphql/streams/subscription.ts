// The client side of a subscription: one request, then a stream of events with a message in each.
import type { Message } from "@bufbuild/protobuf";
import { CallError, onlyRequest, type CallOptions } from "@roundtrip/contract";
import type { HttpStream } from "../../shared/http/http-message.ts";
import { wholeResponse } from "../../shared/http/whole-response.ts";
import { serverUnavailable } from "../../shared/server-unavailable.ts";
import { readEvents, type ServerSentEvent } from "./event-reader.ts";
import { eventStreamType } from "../http/media-types.ts";
import type { Question } from "../documents/question.ts";
import { dataOf, responseOf } from "../documents/response.ts";

export interface Subscription {
  readonly question: Question;
  /** The server's address, for error messages. */
  readonly origin: string;
  /** A larger message fails with RESOURCE_EXHAUSTED. */
  readonly maxMessageBytes: number;
  readonly open: (request: Message, options: CallOptions) => Promise<HttpStream>;
}

function messageOf({ data }: ServerSentEvent, question: Question): Message {
  return question.answer(dataOf(responseOf(200, data), 200, [question]));
}

/** The messages of a subscription. Reading throws a CallError; stopping early closes the connection, which cancels the call. */
export async function* subscribe(
  { question, origin, maxMessageBytes, open }: Subscription,
  requests: AsyncIterable<Message> | Iterable<Message>,
  options: CallOptions,
): AsyncGenerator<Message, void, undefined> {
  const response = await open(await onlyRequest(requests), options);
  const { status, headers, body } = response;
  if (!String(headers["content-type"]).startsWith(eventStreamType)) {
    const whole = await wholeResponse(response, maxMessageBytes);
    dataOf(responseOf(status, whole.body.toString()), status, [question]);
    throw new CallError("UNKNOWN", `no stream of events (HTTP status ${status})`);
  }
  for await (const event of readEvents(body, maxMessageBytes)) {
    if (event.event === "complete") return;
    if (event.event === "next") yield messageOf(event, question);
  }
  throw serverUnavailable(origin, "the stream broke off");
}
