// What server bindings over HTTP/1.1 import.
import { CallError } from "@roundtrip/contract";
import { isIPv4 } from "node:net";
import { HttpError } from "./http-service.ts";
import { unsupported } from "./request-checks.ts";
export { type FaultBody, type WriteFaultBody } from "./http-service.ts";
export { type HttpAnswer, type WholeAnswer } from "./http-service.ts";
export { cutShort, closeConnection } from "./http-service.ts";
export { deadlineHeader, deadlineOf } from "../call-headers.ts";
export { type HttpError } from "./http-service.ts";
export { type HttpService, type ReceivedRequest, type RoutedService, type ServedExchange } from "./http-service.ts";
export { STATUS_CODES, createServer } from "./node-http.ts";

// Whether a host is this machine, on any network.

/**
 * Whether a host is always this machine: `localhost` and names below it (RFC 6761, section 6.3), 127.0.0.0/8 (RFC 1122, section 3.2.1.3) and ::1.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 as four decimal numbers, IPv6 in brackets.
 */
export function isLoopbackHost(hostname: string): boolean {
  if (isIPv4(hostname)) return hostname.split(".")[0] === "127";
  return hostname === "[::1]" || hostname.split(".").at(-1) === "localhost";
}

// Errors of unreadable request bodies, the same for every library.

export const contentCodings = ["gzip", "deflate", "br"] as const;

function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxBytes} bytes`));
}

/** 413 if the declared length exceeds the limit; undefined otherwise. Does not wait for the body. */
export function declaredTooLarge(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  maxBytes: number,
): HttpError | undefined {
  const isTooLarge = Number(headers["content-length"] ?? 0) > maxBytes && headers["content-encoding"] === undefined;
  return isTooLarge ? bodyTooLarge(maxBytes) : undefined;
}

/** The error of an unreadable body. @param thrown an Error. A `status` is an HTTP status; 413 and 415 have their own errors. */
export function bodyFault(thrown: unknown, maxBytes: number): CallError | HttpError {
  const { status, message } = thrown as { readonly status?: number; readonly message?: string };
  if (status === 413) return bodyTooLarge(maxBytes);
  if (status === 415) {
    const codings = contentCodings.join(", ");
    return unsupported(`this content encoding is not supported: ${message}`, `none or one of ${codings}`, {
      "accept-encoding": codings,
    });
  }
  return new CallError("INVALID_ARGUMENT", `the body cannot be read: ${message}`, {}, { cause: thrown });
}
