// Reads the JSON body of a request: strictly UTF-8, strictly JSON, no larger than allowed.
import { CallError } from "@roundtrip/contract";
import type { JsonValue } from "@bufbuild/protobuf";
import express, { type Request, type Response } from "express";
import { badRequest } from "./bad-request.ts";
import { HttpError } from "./http-error.ts";

/** Calls back with the parsed body (undefined without one), or throws into `fail` what the request is answered with. */
export type ReadBody = (
  request: Request,
  response: Response,
  done: (body: JsonValue | undefined) => void,
  fail: (error: CallError | HttpError) => void,
) => void;

const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

function parsed(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(utf8.decode(bytes)) as JsonValue;
  } catch (thrown) {
    const why = thrown instanceof SyntaxError ? `: ${thrown.message}` : " in UTF-8";
    throw badRequest(`the body is no JSON${why}`, { cause: thrown });
  }
}

function unsupported(what: string): HttpError {
  return new HttpError(415, new CallError("INVALID_ARGUMENT", `${what}; send application/json`));
}

function faultOf(thrown: unknown, maxBytes: number): CallError | HttpError {
  // What body-parser passes on: an Error with the HTTP status that it stands for.
  const { status, message } = thrown as { readonly status?: number; readonly message?: string };
  if (status === 413) {
    return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxBytes} bytes`));
  }
  if (status === 415) return unsupported(`this content encoding is not supported: ${message}`);
  return badRequest(`the body cannot be read: ${message}`, { cause: thrown });
}

/** A reader of bodies of at most `maxBytes`, counted after decompression. */
export function bodyReader(maxBytes: number): ReadBody {
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return (request, response, done, fail) => {
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
      const type = request.headers["content-type"];
      let body: JsonValue;
      try {
        if (type === undefined || !jsonType.test(type)) throw unsupported(`the body is ${type ?? "of no stated type"}`);
        body = parsed(bytes);
      } catch (error) {
        fail(error as CallError | HttpError);
        return;
      }
      done(body);
    });
  };
}
