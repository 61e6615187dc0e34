// Answers and errors as values, with the handler's metadata.
import type { Message } from "@bufbuild/protobuf";
import { CallError, TooSlow, type ServerCall } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { metadataHeaders, textAnswer } from "../../shared/http/text-answer.ts";
import { problemOf, problemType, type Problem } from "../errors.ts";
import type { RouteMatch } from "../routing/router.ts";
import type { Route } from "../routing/routes.ts";
import { LineTooLong } from "../streams/lines.ts";

/** The problem details of any thrown value. */
export function problemFor(thrown: unknown): Problem {
  if (thrown instanceof HttpError) return problemOf(thrown.error, thrown.status);
  if (thrown instanceof LineTooLong) return problemOf(thrown, 413);
  return thrown instanceof TooSlow ? problemOf(thrown, 408) : problemOf(CallError.from(thrown));
}

/** @param call undefined if the request was refused before the call began. @param headers the answer's own headers. */
export function errorAnswer(
  thrown: unknown,
  call: ServerCall | undefined,
  headers: AnswerHeaders | undefined,
): WholeAnswer {
  let problem = problemFor(thrown);
  let metadata: AnswerHeaders | undefined;
  try {
    if (call !== undefined) metadata = metadataHeaders(call);
  } catch (unsendable) {
    problem = problemFor(unsendable);
  }
  const own: Record<string, string | number> = {
    ...headers,
    ...metadata,
    ...(thrown instanceof HttpError ? thrown.headers : undefined),
  };
  // RFC 9110, section 15.5.9: the server does not wait for the rest of a slow request.
  if (problem.status === 408) own["connection"] = "close";
  // RFC 9110, section 15.5.2: a 401 states how to authenticate.
  if (problem.status === 401) own["www-authenticate"] ??= "Bearer";
  return textAnswer(problem.status, problemType, JSON.stringify(problem), own);
}

const nothing: WholeAnswer = { status: 204, headers: {}, body: undefined, cut: undefined };

export function messageAnswer(
  call: ServerCall,
  { target: route, segments }: RouteMatch<Route>,
  message: Message,
): WholeAnswer {
  const text = route.write(message);
  const metadata = metadataHeaders(call);
  if (text === undefined) return metadata === undefined ? nothing : { ...nothing, headers: metadata };
  if (route.locate === undefined) return textAnswer(200, jsonMediaType, text, metadata);
  const location = route.locate(segments, message);
  return textAnswer(201, jsonMediaType, text, location === undefined ? metadata : { ...metadata, location });
}
