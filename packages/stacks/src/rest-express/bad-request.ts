// Requests that cannot be read: INVALID_ARGUMENT, with the field that is to blame wherever it can be told.
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { CallError } from "@roundtrip/contract";

/** What a sender prefers who wants unknown fields to be ignored (RFC 7240, section 4.4). */
export const lenient = "handling=lenient";

/** A request whose `field` cannot be what it is. */
export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** A request that is wrong as a whole. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** What protobuf-es threw while it read ProtoJSON. */
export function badJson(thrown: unknown): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  if (isFieldError(thrown.cause)) {
    const at = thrown.cause.field();
    return badField(at.kind === "field" ? at.jsonName : at.name, thrown.cause.message, options);
  }
  const unknown = /key "(.*)" is unknown$/s.exec(thrown.message)?.[1];
  if (unknown !== undefined)
    return badField(unknown, `there is no such field (to have it ignored: "Prefer: ${lenient}")`, options);
  return badRequest(thrown.message, options);
}
