// Errors of malformed JSON requests: INVALID_ARGUMENT, with the invalid field if known.
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { CallError } from "@roundtrip/contract";

export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** The error of a malformed request without a known field. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** The error's message without its type name. */
function reasonOf({ message, cause }: Error): string {
  if (isFieldError(cause)) return cause.message;
  const reason = message.replace(/^cannot decode message \S+ from JSON: /, "");
  return reason !== message && /^["\d]/.test(reason) ? `cannot be ${reason}` : reason;
}

function fieldIn({ message, cause }: Error): string | undefined {
  if (!isFieldError(cause)) return /key "(.*)" is unknown$/s.exec(message)?.[1];
  const at = cause.field();
  return at.kind === "field" ? at.jsonName : at.name;
}

export interface JsonFault {
  /** The path of the invalid field; undefined if unknown. */
  readonly path: string | undefined;
  readonly thrown: unknown;
}

/** @param advice added to the error of an unknown field, in brackets; empty for none. */
export function badJson({ path, thrown }: JsonFault, advice = ""): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  const field = path ?? fieldIn(thrown);
  if (field === undefined) return badRequest(thrown.message, options);
  const isUnknown = /key ".*" is unknown$/s.test(thrown.message);
  const reason = isUnknown ? `there is no such field${advice === "" ? "" : ` (${advice})`}` : reasonOf(thrown);
  return badField(field, reason, options);
}
