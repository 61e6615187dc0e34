// Subscriptions of a client, as server-sent events.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type CallOptions, onlyRequest } from "@roundtrip/contract";
import { StringDecoder } from "node:string_decoder";
import { dataOf, type DocumentCall, responseOf } from "../documents/call.ts";
import { eventStreamType } from "../index.ts";
import { type HttpStream, wholeResponse } from "../../shared/http/client.ts";
import { serverUnavailable } from "../../shared/client.ts";

// Reads a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation

export interface ServerSentEvent {
  /** `message` if the sender names no event. */
  readonly event: string;
  readonly data: string;
}

// Two line ends of any kind; a final \r may be half of one.
const blankLine = /\r\n\r\n|\n\n|\r\r(?=[^\n])/;

/** Parses a block; undefined for one with comments only. */
function eventOf(block: string): ServerSentEvent | undefined {
  let event = "message";
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ""] = /^(event|data)(?::[ ]?(.*))?$/s.exec(line) ?? [];
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
  return data.length === 0 && event === "message" ? undefined : { event, data: data.join("\n") };
}

/** Bytes allowed around an event's data. */
const namesBytes = 64;

function tooLarge(maxBytes: number): CallError {
  return new CallError("RESOURCE_EXHAUSTED", `the response is larger than ${maxBytes} bytes`);
}

/** The events of a body. Throws RESOURCE_EXHAUSTED for an event larger than `maxBytes`. */
export async function* readEvents(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new StringDecoder("utf8");
  // Pieces of an incomplete event. Joined once at the end: joining each would have quadratic cost.
  let pieces: string[] = [];
  let waiting = 0;
  let tail = "";
  for await (const chunk of body) {
    const piece = decoder.write(chunk);
    const recent = tail + piece;
    tail = recent.slice(-3);
    pieces.push(piece);
    waiting += piece.length;
    if (!blankLine.test(recent)) {
      if (waiting > maxBytes + namesBytes) throw tooLarge(maxBytes);
      continue;
    }
    let text = pieces.join("");
    for (let end = blankLine.exec(text); end !== null; end = blankLine.exec(text)) {
      const read = eventOf(text.slice(0, end.index));
      text = text.slice(end.index + end[0].length);
      if (read === undefined) continue;
      if (Buffer.byteLength(read.data) > maxBytes) throw tooLarge(maxBytes);
      yield read;
    }
    pieces = [text];
    waiting = text.length;
  }
}

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
    dataOf(responseOf(status, whole.body.toString()), status, [documentCall]);
    throw new CallError("UNKNOWN", `no stream of events (HTTP status ${status})`);
  }
  for await (const event of readEvents(body, maxMessageBytes)) {
    if (event.event === "complete") return;
    if (event.event === "next") yield messageOf(event, documentCall);
  }
  throw serverUnavailable(origin, "the stream broke off");
}
