// How a server reads the body of a request as a whole.
import type { CallError } from "@roundtrip/contract";
import { bodyFault, declaredTooLarge, type HttpError } from "@roundtrip/styles/http/server";
import type { IncomingMessage, ServerResponse } from "node:http";

/** A library's way to read bodies. Calls back with the bytes, undefined without a body, or with what the library threw. */
export type ReadBytes = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (thrown: unknown, bytes?: Uint8Array) => void,
) => void;

/** Calls back with the bytes of a body (undefined without one, or an empty one), or with what the request is answered with instead. */
type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (bytes: Uint8Array | undefined) => void,
  fail: (error: CallError | HttpError) => void,
) => void;

/** Reads bodies of at most `maxBytes` by a library, which counts them after they are decoded. */
export function bodyReader(read: ReadBytes, maxBytes: number): ReadBody {
  return (request, response, done, fail) => {
    // Known before the body has come: a library may wait for all of it.
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
