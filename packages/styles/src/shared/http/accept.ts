// Judges the Accept header, before the call runs.
import { CallError } from "@roundtrip/contract";
import Negotiator from "negotiator";
import { HttpError } from "./http-error.ts";
import { jsonMediaType } from "./json-body.ts";

export function notAcceptable(accept: string, offered: string): HttpError {
  return new HttpError(406, new CallError("INVALID_ARGUMENT", `the answer is ${offered}, not ${accept}`));
}

/** The caller's preferred media type; undefined if it accepts none. Ignores a UTF-8 charset, which JSON does not define (RFC 8259, section 11). */
export function preferredType<T extends string>(accept: string, types: readonly T[]): T | undefined {
  // An empty header means no header.
  if (accept === "") return types[0];
  const offered = types.flatMap((type) => [type, `${type};charset=utf-8`]);
  const [found] = new Negotiator({ headers: { accept } }).mediaTypes(offered);
  return types.find((type) => found === type || found === `${type};charset=utf-8`);
}

/** Throws 406 if the caller does not accept JSON. */
export function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === "*/*" || accept === jsonMediaType) return;
  if (preferredType(accept, [jsonMediaType]) === undefined) throw notAcceptable(accept, jsonMediaType);
}
