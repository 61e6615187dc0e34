// Reads a stream of server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
import { CallError } from "@roundtrip/contract";
import { StringDecoder } from "node:string_decoder";

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
