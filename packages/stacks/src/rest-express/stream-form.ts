// How a stream of messages looks in a body: newline-delimited JSON, or server-sent events for browsers.
import type { DescMessage } from "@bufbuild/protobuf";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import { linesType } from "./lines.ts";

/** The media type of server-sent events. */
export const eventsType = "text/event-stream";

/** Writes messages and what ends them; every argument is JSON without line breaks. */
export interface StreamForm {
  readonly type: string;
  readonly message: (json: string) => string;
  /** The last that is sent of a stream that failed. */
  readonly error: (problem: string) => string;
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
export function linesForm(errorKey: string): StreamForm {
  return {
    type: linesType,
    message: (json) => `${json}\n`,
    error: (problem) => `{${JSON.stringify(errorKey)}:${problem}}\n`,
    end: "",
  };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html. Browsers connect again after the end, unless they are told of it. */
export const eventsForm: StreamForm = {
  type: eventsType,
  message: (json) => `data: ${json}\n\n`,
  error: (problem) => `event: error\ndata: ${problem}\n\n`,
  end: "event: end\ndata: {}\n\n",
};
