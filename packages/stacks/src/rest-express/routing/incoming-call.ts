// An HTTP request as the server's side of a call: its deadline and its headers.
import { ServerCall } from "@roundtrip/contract";
import type { Request } from "express";
import { HeaderMap } from "../../header-map.ts";
import { deadlineHeader, deadlineOf } from "../../http/http-deadline.ts";

const distinctHeaders = (request: Request) => request.headersDistinct;

/** Throws INVALID_ARGUMENT for a deadline that is none. */
export function incomingCall(request: Request): ServerCall {
  return new ServerCall(deadlineOf(request.headers[deadlineHeader]), new HeaderMap(request, distinctHeaders));
}
