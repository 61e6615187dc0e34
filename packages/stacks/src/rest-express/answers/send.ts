// Writes answers and errors, each with the metadata that the handler gave along.
import type { Message } from "@bufbuild/protobuf";
import { CallError, type ServerCall } from "@roundtrip/contract";
import type { Response } from "express";
import { problemOf, problemType, type Problem } from "../errors.ts";
import { HttpError } from "../../http/http-error.ts";
import { TooSlow } from "../../in-time.ts";
import { LineTooLong } from "../streams/lines.ts";
import type { Route } from "../routing/routes.ts";

function send(response: Response, type: string, status: number, text: string): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

/** Puts the metadata of the answer into its headers. Throws INTERNAL for metadata that cannot be sent. */
export function setMetadata(response: Response, call: ServerCall): void {
  const metadata = call.metadataToSend();
  if (metadata === undefined) return;
  for (const [name, value] of metadata) response.setHeader(name, value);
}

/** The problem details of whatever was thrown. */
export function problemFor(thrown: unknown): Problem {
  if (thrown instanceof HttpError) return problemOf(thrown.error, thrown.status);
  if (thrown instanceof LineTooLong) return problemOf(thrown, 413);
  return thrown instanceof TooSlow ? problemOf(thrown, 408) : problemOf(CallError.from(thrown));
}

/** @param call undefined when the request was refused before there was a call. */
export function sendError(response: Response, call: ServerCall | undefined, thrown: unknown): void {
  // The caller is gone: nobody to tell.
  if (response.headersSent || response.destroyed) return;
  let problem = problemFor(thrown);
  try {
    if (call !== undefined) setMetadata(response, call);
  } catch (unsendable) {
    problem = problemFor(unsendable);
  }
  if (thrown instanceof HttpError) {
    for (const [name, value] of Object.entries(thrown.headers)) response.setHeader(name, value);
  }
  // RFC 9110, section 15.5.9: nobody waits for the rest of a request that is too slow.
  if (problem.status === 408) response.setHeader("connection", "close");
  // RFC 9110, section 15.5.2: a 401 says how to authenticate.
  if (problem.status === 401 && !response.hasHeader("www-authenticate"))
    response.setHeader("www-authenticate", "Bearer");
  send(response, problemType, problem.status, JSON.stringify(problem));
}

/** One message as the whole answer. */
export function sendMessage(
  response: Response,
  call: ServerCall,
  route: Route,
  segments: readonly string[],
  message: Message,
): void {
  if (response.destroyed) return;
  const text = route.write(message);
  setMetadata(response, call);
  if (text === undefined) response.writeHead(204).end();
  else if (route.locate === undefined) send(response, "application/json", 200, text);
  else {
    const location = route.locate(segments, message);
    if (location !== undefined) response.setHeader("location", location);
    send(response, "application/json", 201, text);
  }
}
