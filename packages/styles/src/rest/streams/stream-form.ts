// How a stream of messages looks in a body: newline-delimited JSON, server-sent events for browsers, or the bytes of its messages.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import { linesType } from "./lines.ts";
import { answerOctets, octetsOf, octetsType } from "./octets.ts";
import { messageWriter } from "../answers/response-codec.ts";

/** The media type of server-sent events. */
export const eventsType = "text/event-stream";

/** Writes messages and what ends them. */
export interface StreamForm {
  readonly type: string;
  readonly message: (message: Message) => string | Uint8Array;
  /** The last that is sent of a stream that failed, of JSON without line breaks; undefined where there is no place to tell it. */
  readonly error: ((problem: string) => string) | undefined;
  /** The last that is sent of a stream that is whole. */
  readonly end: string;
}

/** Whose messages the lines of a stream are; undefined when they are values of a field that holds none. */
function lineMessage({ output }: Operation, { responseBody }: HttpBinding): DescMessage | undefined {
  if (responseBody === "") return output;
  const field = output.fields.find(({ name }) => name === responseBody);
  return field?.fieldKind === "message" ? field.message : undefined;
}

/** Any JSON object may be a message of these. */
const dynamic = new Set(["google.protobuf.Struct", "google.protobuf.Value"]);

/**
 * The only key of the line that tells of an error: `error`, unless the messages of the stream have such a field themselves. A line of
 * theirs could not be told from it then, so it is `@error`, which is no name of a field.
 */
export function errorKeyOf(operation: Operation, binding: HttpBinding): string {
  const message = lineMessage(operation, binding);
  const isTaken =
    message !== undefined &&
    (dynamic.has(message.typeName) || message.fields.some(({ jsonName }) => jsonName === "error"));
  return isTaken || (binding.responseBody !== "" && message === undefined) ? "@error" : "error";
}

/** One message a line. A connection that ends without the body's end tells that lines are missing. */
function linesForm(json: (message: Message) => string, errorKey: string): StreamForm {
  return {
    type: linesType,
    message: (message) => `${json(message)}\n`,
    error: (problem) => `{${JSON.stringify(errorKey)}:${problem}}\n`,
    end: "",
  };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html. Browsers connect again after the end, unless they are told of it. */
function eventsForm(json: (message: Message) => string): StreamForm {
  return {
    type: eventsType,
    message: (message) => `data: ${json(message)}\n\n`,
    error: (problem) => `event: error\ndata: ${problem}\n\n`,
    end: "event: end\ndata: {}\n\n",
  };
}

/** The bytes of all messages. A stream that fails ends without the body's end: whatever was said in it would be taken for bytes. */
function octetsForm(field: DescField): StreamForm {
  return { type: octetsType, message: (message) => octetsOf(message, field), error: undefined, end: "" };
}

/** The forms that a stream of answers may have, the preferred one first. */
export function streamForms(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
): readonly [StreamForm, ...StreamForm[]] {
  const json = messageWriter(contract, operation, binding);
  const octets = answerOctets(operation, binding);
  const lines = linesForm(json, errorKeyOf(operation, binding));
  return octets === undefined ? [lines, eventsForm(json)] : [octetsForm(octets), lines, eventsForm(json)];
}
