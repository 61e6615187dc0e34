// Answers and errors as values, with the handler's metadata.
import type { Message } from "@bufbuild/protobuf";
import { CallError, canonicalCodes, TooSlow, type ServerCall } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { textAnswer } from "../../shared/http/text-answer.ts";
import type { ErrorForm } from "../dialects/dialect.ts";
import { rawBodyOf, type RawBody } from "../http-body.ts";
import type { Route } from "../routing/routes.ts";
import { LineTooLong } from "../streams/lines.ts";

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

const nothing: WholeAnswer = { status: 204, headers: {}, body: undefined, cut: undefined };

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
  if (text === undefined) return metadata === undefined ? nothing : { ...nothing, headers: metadata };
  if (route.locate === undefined) return textAnswer(200, jsonMediaType, text, metadata);
  const location = route.locate(segments, message);
  return textAnswer(201, jsonMediaType, text, location === undefined ? metadata : { ...metadata, location });
}
