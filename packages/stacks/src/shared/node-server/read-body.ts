// Reads whole request bodies.
import type { CallError } from "@roundtrip/contract";
import { bodyFault, declaredTooLarge, type HttpError } from "@roundtrip/styles/http/server";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A library's body reader. Calls back with the bytes, undefined without a body, or the library's error. */
export type ReadBytes = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (thrown: unknown, bytes?: Uint8Array) => void,
) => void;

/** Calls back with the bytes of a body (undefined if empty or missing), or with the fault to answer. */
type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (bytes: Uint8Array | undefined) => void,
  fail: (error: CallError | HttpError) => void,
) => void;

/** Reads bodies with a library, up to `maxBytes` after decompression. */
export function bodyReader(read: ReadBytes, maxBytes: number): ReadBody {
  return (request, response, done, fail) => {
    // Checked first: a library may wait for the whole body.
    const fault = declaredTooLarge(request.headers, maxBytes);
    if (fault !== undefined) {
      fail(fault);
      return;
    }
    read(request, response, (thrown, bytes) => {
      if (thrown !== undefined) fail(bodyFault(thrown, maxBytes));
      else done(bytes === undefined || bytes.length === 0 ? undefined : bytes);
    });
  };
}
