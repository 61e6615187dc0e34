// How a server reads the body of a request as a whole.
import type { CallError } from "@roundtrip/contract";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpError } from "@roundtrip/styles/http/server";

/** Calls back with the bytes of a body (undefined without one, or an empty one), or with what the request is answered with instead. */
export type ReadBody = (
  request: IncomingMessage,
  response: ServerResponse,
  done: (bytes: Uint8Array | undefined) => void,
  fail: (error: CallError | HttpError) => void,
) => void;
