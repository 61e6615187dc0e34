// Answers of REST: the accepted media type, bodies, statuses and errors.
import type { Message } from "@bufbuild/protobuf";
import { CallError, canonicalCodes, type ServerCall, TooSlow } from "@roundtrip/contract";
import type { ErrorForm } from "./dialects.ts";
import { type RawBody, rawBodyOf } from "./raw-bodies.ts";
import type { Route } from "./routes.ts";
import { LineTooLong } from "./streams/lines.ts";
import { eventsType, type StreamForm } from "./streams/stream-form.ts";
import { notAcceptable, preferredType } from "../shared/http/request-checks.ts";
import { jsonMediaType } from "../shared/proto-json/json-text.ts";
import { type AnswerHeaders, type WholeAnswer, HttpError, noContent, textAnswer } from "../shared/http/http-service.ts";

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
  { forms, dialect }: Pick<Route, "forms" | "dialect">,
): StreamForm {
  if (forms[0].raw !== undefined) return forms[0];
  if (dialect.streams === "array" && asksForEvents.test(query)) {
    return forms.find(({ type }) => type === eventsType) ?? forms[0];
  }
  if (accept === undefined || accept === forms[0].type || !dialect.checksAccept) return forms[0];
  const types = forms.map(({ type }) => type);
  const best = preferredType(accept, types);
  const form = forms.find(({ type }) => type === best);
  if (form === undefined) throw notAcceptable(accept, types.join(" or "));
  return form;
}

// Answers and errors as values, with the handler's metadata.

/** The HTTP status of any thrown value in the default dialect: that of its code, unless HTTP has a more specific one. */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof HttpError) return thrown.status;
  if (thrown instanceof LineTooLong) return 413;
  return thrown instanceof TooSlow ? 408 : canonicalCodes[CallError.from(thrown).code].http;
}

function errorOf(thrown: unknown): CallError {
  return thrown instanceof HttpError ? thrown.error : CallError.from(thrown);
}

/** @param call undefined if the request was refused before the call began. @param headers the answer's own headers. */
export function errorAnswer(
  thrown: unknown,
  { errorType, write, metadataOf }: ErrorForm,
  call?: ServerCall,
  headers?: AnswerHeaders,
): WholeAnswer {
  let written = write(errorOf(thrown), statusOf(thrown));
  let metadata: AnswerHeaders | undefined;
  try {
    if (call !== undefined) metadata = metadataOf(call);
  } catch (unsendable) {
    written = write(errorOf(unsendable), statusOf(unsendable));
  }
  const { status, body } = written;
  const own: Record<string, string | number> = {
    ...headers,
    ...metadata,
    ...(thrown instanceof HttpError ? thrown.headers : undefined),
  };
  // RFC 9110, section 15.5.9: the server does not wait for the rest of a slow request.
  if (status === 408) own["connection"] = "close";
  // RFC 9110, section 15.5.2: a 401 states how to authenticate.
  if (status === 401) own["www-authenticate"] ??= "Bearer";
  return textAnswer(status, errorType, JSON.stringify(body), own);
}

function rawAnswer(call: ServerCall, { dialect }: Route, { type, bytes }: RawBody): WholeAnswer {
  const ofType = type === "" ? undefined : { "content-type": type };
  const headers = { ...dialect.metadataOf(call), ...ofType, "content-length": bytes.length };
  return { status: 200, headers, body: bytes, cut: undefined };
}

/** @param segments of the request's path */
export function messageAnswer(
  call: ServerCall,
  route: Route,
  segments: readonly string[],
  message: Message,
): WholeAnswer {
  if (route.rawAnswer !== undefined) return rawAnswer(call, route, rawBodyOf(message, route.rawAnswer));
  const text = route.write(message);
  const metadata = route.dialect.metadataOf(call);
  if (text === undefined) return noContent(metadata);
  if (route.locate === undefined) return textAnswer(200, jsonMediaType, text, metadata);
  const location = route.locate(segments, message);
  return textAnswer(201, jsonMediaType, text, location === undefined ? metadata : { ...metadata, location });
}
