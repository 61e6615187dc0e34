// The errors of a request whose body cannot be read, equal for every library that reads it.
import { CallError } from "@roundtrip/contract";
import { HttpError } from "./http-error.ts";
import { unsupported } from "./json-body.ts";

/** The content codings that every server reads. */
export const contentCodings = ["gzip", "deflate", "br"] as const;

/** 413, which is RESOURCE_EXHAUSTED. */
function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError(413, new CallError("RESOURCE_EXHAUSTED", `the request is larger than ${maxBytes} bytes`));
}

/** 413 for a body whose declared length exceeds the limit, before it arrives; undefined for any other. */
export function declaredTooLarge(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  maxBytes: number,
): HttpError | undefined {
  const isTooLarge = Number(headers["content-length"] ?? 0) > maxBytes && headers["content-encoding"] === undefined;
  return isTooLarge ? bodyTooLarge(maxBytes) : undefined;
}

/**
 * The error of a request whose body could not be read.
 * @param thrown an Error. Its `status`, if any, is an HTTP status; 413 and 415 have errors of their own
 */
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
