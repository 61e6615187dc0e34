// Refusals of requests that are no GraphQL requests, in every server whose library does not write them itself.
import { CallError, type CanonicalCode } from "@roundtrip/contract";
import { HttpError } from "../../shared/http/http-error.ts";
import type { RefusalReason } from "../errors.ts";

interface Answer {
  readonly status?: number;
  readonly code?: CanonicalCode;
  readonly reason?: RefusalReason;
  readonly headers?: Readonly<Record<string, string>>;
}

export function refusal(message: string, answer: Answer = {}): HttpError {
  const { status = 400, code = "INVALID_ARGUMENT", reason = "BAD_REQUEST", headers } = answer;
  return new HttpError(status, new CallError(code, message, { reason, domain: "graphql" }), headers);
}

/** The answer to a document that GET may not execute. */
export function onlyByPost(operation: string): HttpError {
  return refusal(`GET only supports queries, not a ${operation}`, { status: 405, headers: { allow: "POST" } });
}
