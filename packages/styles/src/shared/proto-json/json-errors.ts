// Errors of invalid JSON: of ProtoJSON with the place in it, and of malformed requests.
import { CallError, shortText } from "@roundtrip/contract";
import { numberText } from "./scalars.ts";

export const noSuchField = "there is no such field";

/** A name that is not among those that are known. */
interface UnknownName {
  readonly typed: string;
  readonly known: () => readonly string[];
}

export class JsonError extends Error {
  readonly reason: string;
  /** The place of the invalid value in JSON names, as `nested.times[2]`; empty for the JSON as a whole. */
  readonly path: string;
  readonly unknown: UnknownName | undefined;

  constructor(reason: string, path = "", unknown?: UnknownName) {
    super(path === "" ? reason : `${path}: ${reason}`);
    this.reason = reason;
    this.path = path;
    this.unknown = unknown;
  }
}

/** An error inside a field, list or map, as the error outside. @param step a name, or an index or key in brackets */
export function errorWithin(step: string, thrown: unknown): unknown {
  if (!(thrown instanceof JsonError)) return thrown;
  const { reason, path, unknown } = thrown;
  return new JsonError(reason, path === "" || path.startsWith("[") ? step + path : `${step}.${path}`, unknown);
}

const maxShown = 60;

/** @param expected in words, with an article. */
export function notA(expected: string, json: unknown, known?: UnknownName["known"]): JsonError {
  const text = numberText(json) ?? JSON.stringify(json) ?? typeof json;
  const unknown = known === undefined || typeof json !== "string" ? undefined : { typed: json, known };
  return new JsonError(`expected ${expected}, got ${shortText(text, maxShown)}`, "", unknown);
}

// Errors of malformed JSON requests: INVALID_ARGUMENT, with the invalid field if known.

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
  if (thrown instanceof CallError) return thrown;
  if (!(thrown instanceof Error)) return badRequest("the request cannot be read", options);
  if (!(thrown instanceof JsonError) || thrown.path === "") return badRequest(thrown.message, options);
  const { path, reason } = thrown;
  return badField(path, reason === noSuchField && advice !== "" ? `${reason} (${advice})` : reason, options);
}
