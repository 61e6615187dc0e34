// Errors of malformed JSON requests: INVALID_ARGUMENT, with the invalid field if known.
import { CallError } from "@roundtrip/contract";
import { JsonError, noSuchField } from "./json-text.ts";

export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** The error of a malformed request without a known field. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** @param thrown by the reader of messages. @param advice added to the error of an unknown field, in brackets; empty for none. */
export function badJson(thrown: unknown, advice = ""): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  if (!(thrown instanceof JsonError) || thrown.path === "") return badRequest(thrown.message, options);
  const { path, reason } = thrown;
  return badField(path, reason === noSuchField && advice !== "" ? `${reason} (${advice})` : reason, options);
}
