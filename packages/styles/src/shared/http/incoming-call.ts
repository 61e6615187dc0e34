// The server side of a call, from the headers of an HTTP request.
import { ServerCall } from "@roundtrip/contract";
import { HeaderMap } from "../header-map.ts";
import { deadlineHeader, deadlineOf } from "./http-deadline.ts";
import type { ReceivedRequest } from "./http-service.ts";

const distinctHeaders = (request: ReceivedRequest) => request.headersDistinct;
const lacksHeader = ({ headers }: ReceivedRequest, name: string) => headers[name] === undefined;

/** Throws INVALID_ARGUMENT for an invalid deadline. */
export function incomingCall(request: ReceivedRequest): ServerCall {
  const headers = new HeaderMap(request, distinctHeaders, lacksHeader);
  return new ServerCall(deadlineOf(request.headers[deadlineHeader]), headers);
}
