// Checks of a request: the accepted media type, the type of the body, and its JSON.
import type { JsonValue } from "@bufbuild/protobuf";
import { CallError } from "@roundtrip/contract";
import Negotiator from "negotiator";
import { HttpError } from "./http-service.ts";
import { jsonMediaType } from "../proto-json/json-text.ts";

// Judges the Accept header, before the call runs.

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

// Checks and parses JSON request bodies: valid UTF-8, valid JSON, and declared as such.

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

function textIn(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", "the body is no JSON in UTF-8", {}, { cause });
  }
}

/** Parses the JSON of a body or line. Throws INVALID_ARGUMENT for invalid JSON or UTF-8. */
export function parsedJson(bytes: Uint8Array, parse: (text: string) => JsonValue): JsonValue {
  const text = textIn(bytes);
  try {
    return parse(text);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the body is not JSON: ${(cause as Error).message}`, {}, { cause });
  }
}

/** 415 with the received and expected media types, and headers for programs (RFC 9110, section 15.5.16). */
export function unsupported(what: string, wanted: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, new CallError("INVALID_ARGUMENT", `${what}; send ${wanted}`), headers);
}

/** Throws 415 for a charset other than UTF-8. @param wanted the expected media type. */
export function checkCharset(contentType: string, wanted: string): void {
  const name = charset.exec(contentType)?.[1];
  if (name === undefined || /^(?:utf-?8|us-ascii)$/i.test(name)) return;
  throw unsupported(`the body is in ${name}`, `${wanted} in UTF-8`, { accept: wanted });
}

/** Throws 415 for a body that is not declared as JSON in UTF-8. */
export function checkJsonType(contentType: string | undefined): void {
  if (contentType === jsonMediaType) return;
  if (contentType === undefined || !jsonType.test(contentType)) {
    const headers = { accept: jsonMediaType };
    throw unsupported(`the body is ${contentType ?? "of no stated type"}`, jsonMediaType, headers);
  }
  checkCharset(contentType, jsonMediaType);
}
