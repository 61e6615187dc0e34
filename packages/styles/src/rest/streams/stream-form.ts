// The forms of a response stream: newline-delimited JSON, server-sent events for browsers, raw bytes, or a JSON array.
import { notAcceptable, preferredType } from "../../shared/http/http-service.ts";
import { jsonMediaType } from "../../shared/call-headers.ts";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import type { RestDialect } from "../dialects.ts";
import { problemType } from "../errors.ts";
import {
  answerHttpBody,
  anyType,
  rawBodyOf,
  type HttpBodyPlace,
  answerOctets,
  octetsOf,
  octetsType,
} from "../raw-bodies.ts";
import { linesType } from "./lines.ts";
import { messageWriter } from "../response-codec.ts";

export const eventsType = "text/event-stream";

export interface StreamForm {
  readonly type: string;
  readonly message: (message: Message) => string | Uint8Array;
  /** The end of a failed stream, from its error as JSON without line breaks; undefined if the form cannot carry errors. */
  readonly error: ((problem: string) => string) | undefined;
  readonly end: string;
  /** Whether messages and the error are the items of one JSON array. */
  readonly isArray: boolean;
  /** The HttpBody whose bytes are the stream, and whose content type in the first message is its type; undefined for other forms. */
  readonly raw: HttpBodyPlace | undefined;
}

/** The message type of a stream's lines; undefined if they are values of a scalar field. */
function lineMessage({ output }: Operation, { responseBody }: HttpBinding): DescMessage | undefined {
  if (responseBody === "") return output;
  const field = output.fields.find(({ name }) => name === responseBody);
  return field?.fieldKind === "message" ? field.message : undefined;
}

/** Types whose JSON may be any object. */
const dynamic = new Set(["google.protobuf.Struct", "google.protobuf.Value"]);

/** The only key of an error line: `error`, or `@error` (not a valid field name) if the messages may have a member `error`. */
export function errorKeyOf(operation: Operation, binding: HttpBinding): string {
  const message = lineMessage(operation, binding);
  const hasErrorField =
    message !== undefined &&
    (dynamic.has(message.typeName) || message.fields.some(({ jsonName }) => jsonName === "error"));
  return hasErrorField || (binding.responseBody !== "" && message === undefined) ? "@error" : "error";
}

type MessageJson = (message: Message) => string;

const whole = { end: "", isArray: false, raw: undefined } as const;

/** One message per line. On failure without an error line, the connection closes before the end of the body. */
function linesForm(json: MessageJson, errorKey: string): StreamForm {
  const error = (problem: string): string => `{${JSON.stringify(errorKey)}:${problem}}\n`;
  return { ...whole, type: linesType, message: (message) => `${json(message)}\n`, error };
}

/** As grpc-gateway writes streams: each line says whether it is a message or the error. */
function wrappedForm(json: MessageJson): StreamForm {
  return {
    ...whole,
    type: jsonMediaType,
    message: (message) => `{"result":${json(message)}}\n`,
    error: (problem) => `{"error":${problem}}\n`,
  };
}

/** As Google's APIs write streams: an array that is sent in pieces. */
function arrayForm(json: MessageJson): StreamForm {
  return { ...whole, type: jsonMediaType, message: json, error: (problem) => problem, isArray: true };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html. Browsers reconnect unless the stream announces its end. */
function eventsForm(json: MessageJson): StreamForm {
  return {
    ...whole,
    type: eventsType,
    message: (message) => `data: ${json(message)}\n\n`,
    error: (problem) => `event: error\ndata: ${problem}\n\n`,
    end: "event: end\ndata: {}\n\n",
  };
}

/** Events without a last one: Google's clients read to the end of the answer. */
function plainEventsForm(json: MessageJson): StreamForm {
  return {
    ...whole,
    type: eventsType,
    message: (message) => `data: ${json(message)}\r\n\r\n`,
    error: (problem) => `data: ${problem}\r\n\r\n`,
  };
}

/** The bytes of all messages. A failed stream closes the connection early, because an error would be read as bytes. */
function octetsForm(field: DescField): StreamForm {
  return { ...whole, type: octetsType, message: (message) => octetsOf(message, field), error: undefined };
}

/** The bytes of HttpBody messages. A failed stream closes the connection early. */
function rawForm(raw: HttpBodyPlace): StreamForm {
  return { ...whole, type: anyType, message: (message) => rawBodyOf(message, raw).bytes, error: undefined, raw };
}

/** The possible forms of an operation's stream, the default first. */
export function streamForms(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  { form, streams }: Pick<RestDialect, "form" | "streams">,
): readonly [StreamForm, ...StreamForm[]] {
  const raw = answerHttpBody(operation, binding);
  if (raw !== undefined) return [rawForm(raw)];
  const json = messageWriter(contract, operation, binding, form);
  if (streams === "wrapped") return [wrappedForm(json)];
  if (streams === "array") return [arrayForm(json), plainEventsForm(json)];
  const octets = answerOctets(operation, binding);
  const lines = linesForm(json, errorKeyOf(operation, binding));
  return octets === undefined ? [lines, eventsForm(json)] : [octetsForm(octets), lines, eventsForm(json)];
}

// The form of a stream by the Accept header, or by the dialect.

interface StreamWish {
  readonly accept: string | undefined;
  readonly query: string;
}

/** Google's parameter for a stream of events. */
const asksForEvents = /(?:^|&)(?:\$|%24)?alt=sse(?:&|$)/;

/** The form of a stream that the caller prefers. Throws 406 if it accepts none. */
export function acceptedForm(
  { accept, query }: StreamWish,
  forms: readonly [StreamForm, ...StreamForm[]],
  dialect: Pick<RestDialect, "streams" | "checksAccept">,
): StreamForm {
  if (forms[0].raw !== undefined) return forms[0];
  if (dialect.streams === "array" && asksForEvents.test(query)) {
    return forms.find(({ type }) => type === eventsType) ?? forms[0];
  }
  if (accept === undefined || accept === forms[0].type || !dialect.checksAccept) return forms[0];
  // Clients that openapi-generator makes accept only the first type of an operation that ends in JSON, which is that of its errors.
  if (accept === problemType) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = preferredType(accept, types);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}
