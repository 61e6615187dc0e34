// The forms of a stream in a body: newline-delimited JSON, server-sent events for browsers, or the bytes of its messages.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import { linesType } from "./lines.ts";
import { answerOctets, octetsOf, octetsType } from "./octets.ts";
import { messageWriter } from "../answers/response-codec.ts";

/** The media type of server-sent events. */
export const eventsType = "text/event-stream";

/** Writes messages and the end of a stream. */
export interface StreamForm {
  readonly type: string;
  readonly message: (message: Message) => string | Uint8Array;
  /** The end of a failed stream, with its error as JSON without line breaks; undefined if the form cannot carry errors. */
  readonly error: ((problem: string) => string) | undefined;
  /** The end of a complete stream. */
  readonly end: string;
}

/** The message in the lines of a stream; undefined if they are values of a scalar field. */
function lineMessage({ output }: Operation, { responseBody }: HttpBinding): DescMessage | undefined {
  if (responseBody === "") return output;
  const field = output.fields.find(({ name }) => name === responseBody);
  return field?.fieldKind === "message" ? field.message : undefined;
}

/** Types whose JSON may be any object. */
const dynamic = new Set(["google.protobuf.Struct", "google.protobuf.Value"]);

/**
 * The only key of a line with an error: `error`, or `@error`, which is not a valid field name, if the messages of the stream have a field
 * `error` themselves.
 */
export function errorKeyOf(operation: Operation, binding: HttpBinding): string {
  const message = lineMessage(operation, binding);
  const hasErrorField =
    message !== undefined &&
    (dynamic.has(message.typeName) || message.fields.some(({ jsonName }) => jsonName === "error"));
  return hasErrorField || (binding.responseBody !== "" && message === undefined) ? "@error" : "error";
}

/** One message per line. If lines are missing, the connection closes before the end of the body. */
function linesForm(json: (message: Message) => string, errorKey: string): StreamForm {
  return {
    type: linesType,
    message: (message) => `${json(message)}\n`,
    error: (problem) => `{${JSON.stringify(errorKey)}:${problem}}\n`,
    end: "",
  };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html. Browsers reconnect after the end, unless the stream announces it. */
function eventsForm(json: (message: Message) => string): StreamForm {
  return {
    type: eventsType,
    message: (message) => `data: ${json(message)}\n\n`,
    error: (problem) => `event: error\ndata: ${problem}\n\n`,
    end: "event: end\ndata: {}\n\n",
  };
}

/** The bytes of all messages. A failed stream closes the connection before the end of the body, because an error in it would be read as bytes. */
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
