// Checks and parses JSON request bodies: valid UTF-8, valid JSON, and declared as such.
import { CallError } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import { HttpError } from "./http-error.ts";

export const jsonMediaType = "application/json";

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

/** Matches every text with a number beyond the range of a double; other texts are not searched. */
const perhapsTooLarge = /\d[eE]\+?\d{3}|\d{309}/;

/** Whether JavaScript reads some number as infinite. Not recursive, so any depth is safe. */
function holdsInfinity(json: JsonValue): boolean {
  const waiting: JsonValue[] = [json];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "number" && !Number.isFinite(value)) return true;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) waiting.push(inner);
  }
  return false;
}

/** Parses the JSON of a body or line. Throws INVALID_ARGUMENT for invalid JSON or UTF-8, and for a number beyond the range of a double. */
export function parsedJson(bytes: Uint8Array, parse: (text: string) => JsonValue): JsonValue {
  const text = textIn(bytes);
  let json: JsonValue;
  try {
    json = parse(text);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the body is not JSON: ${(cause as Error).message}`, {}, { cause });
  }
  if (perhapsTooLarge.test(text) && holdsInfinity(json)) {
    throw new CallError("INVALID_ARGUMENT", "a number in the body is larger than any double");
  }
  return json;
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
