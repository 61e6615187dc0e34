// Errors of unreadable request bodies, the same for every library.
import { CallError } from "@roundtrip/contract";
import { HttpError } from "./http-error.ts";
import { unsupported } from "./json-body.ts";

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
