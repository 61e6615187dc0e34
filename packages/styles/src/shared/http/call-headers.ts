// Headers that a client sends and receives, and the error for an answer that does not match the contract.
import { checkMetadata, ClientSideError, ownMetadata, type CallOptions } from "@roundtrip/contract";
import { HeaderMap } from "../header-map.ts";
import type { HttpResponse } from "./http-message.ts";
import { withDeadline } from "./http-deadline.ts";

type Headers = Readonly<Record<string, string>>;
type Head = Pick<HttpResponse, "status" | "headers">;

/** The headers of a call with its deadline and metadata. Throws INVALID_ARGUMENT for invalid metadata. */
export function requestHeaders(headers: Headers, options: CallOptions | undefined): Headers {
  const timed = withDeadline(headers, options?.timeoutMs);
  if (options?.metadata === undefined) return timed;
  checkMetadata(options.metadata);
  return { ...timed, ...Object.fromEntries(options.metadata) };
}

export function reportMetadata(options: CallOptions | undefined, head: Pick<Head, "headers">): void {
  options?.onMetadata?.(ownMetadata(new HeaderMap(head, ({ headers }) => headers)));
}

/** The error of an answer that does not match the contract, for example from another server. */
export function foreignAnswer({ status, headers }: Head, route: string, cause: unknown): ClientSideError {
  const type = String(headers["content-type"] ?? "no stated type");
  return new ClientSideError(
    "UNKNOWN",
    `${route} answered ${status} with ${type}, which is not of the contract`,
    {},
    { cause },
  );
}
