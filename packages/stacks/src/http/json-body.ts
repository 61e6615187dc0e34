// Reads the JSON body of a request: strictly UTF-8, strictly JSON, no larger than allowed.
import { CallError } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import express, { type Request, type Response } from "express";
import { HttpError } from "./http-error.ts";

/** Calls back with the bytes of a JSON body (undefined without one), or with what the request is answered with instead. */
export type ReadBody = (
  request: Request,
  response: Response,
  done: (bytes: Uint8Array | undefined) => void,
  fail: (error: CallError | HttpError) => void,
) => void;

/** What bodies are sent as. */
export const jsonMediaType = "application/json";

const encodings = "gzip, deflate, br";

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

/** What a number beyond the largest has in its text; other texts are not looked through. */
const perhapsTooLarge = /\d[eE]\+?\d{3}|\d{309}/;

/** Whether there is a number that JavaScript reads as infinite. Goes as deep as the text does, without a stack of calls. */
function holdsInfinity(json: JsonValue): boolean {
  const waiting: JsonValue[] = [json];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value === "number" && !Number.isFinite(value)) return true;
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) waiting.push(inner);
  }
  return false;
}

/** The JSON in a body or a line. Throws INVALID_ARGUMENT for what is none, not in UTF-8, or has a number that no double can hold. */
export function parsedJson(bytes: Uint8Array, parse: (text: string) => JsonValue): JsonValue {
  const text = textIn(bytes);
  let json: JsonValue;
  try {
    json = parse(text);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the body is no JSON: ${(cause as Error).message}`, {}, { cause });
  }
  if (perhapsTooLarge.test(text) && holdsInfinity(json)) {
    throw new CallError("INVALID_ARGUMENT", "a number in the body is larger than any double");
  }
  return json;
}

/** 415: what the body is, and what it should be; the header tells programs the same (RFC 9110, section 15.5.16). */
export function unsupported(what: string, wanted: string, headers: Readonly<Record<string, string>>): HttpError {
  return new HttpError(415, new CallError("INVALID_ARGUMENT", `${what}; send ${wanted}`), headers);
}

/** Throws 415 for a text in anything but UTF-8. @param wanted the media type that it should have */
export function checkCharset(contentType: string, wanted: string): void {
  const name = charset.exec(contentType)?.[1];
  if (name === undefined || /^(?:utf-?8|us-ascii)$/i.test(name)) return;
  throw unsupported(`the body is in ${name}`, `${wanted} in UTF-8`, { accept: wanted });
}

function checkType(contentType: string | undefined): void {
  if (contentType === jsonMediaType) return;
  if (contentType === undefined || !jsonType.test(contentType)) {
    const headers = { accept: jsonMediaType };
    throw unsupported(`the body is ${contentType ?? "of no stated type"}`, jsonMediaType, headers);
  }
  checkCharset(contentType, jsonMediaType);
}

/** 413, which is RESOURCE_EXHAUSTED. */
function tooLarge(maxBytes: number): HttpError {
  return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxBytes} bytes`));
}

function faultOf(thrown: unknown, maxBytes: number): CallError | HttpError {
  // What body-parser passes on: an Error with the HTTP status that it stands for.
  const { status, message } = thrown as { readonly status?: number; readonly message?: string };
  if (status === 413) return tooLarge(maxBytes);
  if (status === 415)
    return unsupported(`this content encoding is not supported: ${message}`, `none or one of ${encodings}`, {
      "accept-encoding": encodings,
    });
  return new CallError("INVALID_ARGUMENT", `the body cannot be read: ${message}`, {}, { cause: thrown });
}

/** A reader of bodies of at most `maxBytes`, counted after decompression. */
export function bodyReader(maxBytes: number): ReadBody {
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return (request, response, done, fail) => {
    const { headers } = request;
    // Known before it has come: body-parser would wait for all of it.
    if (Number(headers["content-length"] ?? 0) > maxBytes && headers["content-encoding"] === undefined) {
      fail(tooLarge(maxBytes));
      return;
    }
    readBytes(request, response, (thrown: unknown) => {
      if (thrown !== undefined) {
        fail(faultOf(thrown, maxBytes));
        return;
      }
      const bytes = request.body as Uint8Array | undefined;
      if (bytes === undefined || bytes.length === 0) {
        done(undefined);
        return;
      }
      try {
        checkType(headers["content-type"]);
      } catch (error) {
        fail(error as CallError | HttpError);
        return;
      }
      done(bytes);
    });
  };
}
