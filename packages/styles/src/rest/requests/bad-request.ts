// Requests that cannot be read: INVALID_ARGUMENT, with the field that is to blame wherever it can be told.
import { isFieldError } from "@bufbuild/protobuf/reflect";
import { CallError } from "@roundtrip/contract";
import { lenient } from "./preference.ts";

/** A request whose `field` cannot be what it is. */
export function badField(field: string, description: string, options?: ErrorOptions): CallError {
  const violations = [{ field, description, reason: "json" }];
  return new CallError("INVALID_ARGUMENT", `${field}: ${description}`, { violations }, options);
}

/** A request that is wrong as a whole. */
export function badRequest(description: string, options?: ErrorOptions): CallError {
  return new CallError("INVALID_ARGUMENT", description, {}, options);
}

/** What cannot be read, without the name of its type; a bare value is what it cannot be. */
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

/** What could not be read. */
export interface JsonFault {
  /** Where that was; undefined when nobody knows better than the error. */
  readonly path: string | undefined;
  /** What was thrown by whoever read it. */
  readonly thrown: unknown;
}

/** What ProtoJSON could not be read as. */
export function badJson({ path, thrown }: JsonFault): CallError {
  const options = { cause: thrown };
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  const field = path ?? fieldIn(thrown);
  if (field === undefined) return badRequest(thrown.message, options);
  const isUnknown = /key ".*" is unknown$/s.test(thrown.message);
  const reason = isUnknown ? `there is no such field (to have it ignored: "Prefer: ${lenient}")` : reasonOf(thrown);
  return badField(field, reason, options);
}
