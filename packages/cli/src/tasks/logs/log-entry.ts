// One request of a log: as HTTP, or as a call that a fake has recorded.
import type { JsonValue } from "@bufbuild/protobuf";
import type { LoggedRequest } from "@roundtrip/styles";

export interface HttpEntry {
  readonly kind: "http";
  /** When it was received, in milliseconds since 1970; NaN if the log does not have it. */
  readonly atMs: number;
  readonly request: LoggedRequest;
  /** False if the log says that it failed. */
  readonly isAnswered: boolean;
}

export interface CallEntry {
  readonly kind: "call";
  readonly atMs: number;
  /** The operation's id. */
  readonly operation: string;
  /** In ProtoJSON; undefined if it is unknown. */
  readonly request: JsonValue | undefined;
  readonly isAnswered: boolean;
  /** Whether secrets are missing in the request, as in a recording. */
  readonly lacksSecrets: boolean;
}

export type LogEntry = HttpEntry | CallEntry;

/** Whether an HTTP status is no error. Proxies and browsers write 0 for requests that ended without an answer. @param status undefined if the log does not have it. */
export function isAnsweredBy(status: number | undefined): boolean {
  return status === undefined || (status > 0 && status < 400);
}

/** Path and query of a URL or of a request target. */
export function targetOf(url: string): string {
  if (url.startsWith("/")) return url;
  try {
    const { pathname, search } = new URL(url);
    return `${pathname}${search}`;
  } catch {
    return url;
  }
}

/** A media type in lower case without parameters. */
export function plainMediaType(text: string): string {
  return (text.split(";", 1)[0] ?? "").trim().toLowerCase();
}
