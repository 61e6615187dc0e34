// Headers that a Connect client sends and receives.
import { checkMetadata, endlessMs, ownMetadata, type CallOptions } from "@roundtrip/contract";
import type { HttpResponse } from "../../shared/http/http-message.ts";
import { metadataHeaders, receivedMetadata } from "../../shared/metadata-headers.ts";
import { protocolVersion, timeoutHeader, trailerPrefix, versionHeader } from "../wire-form.ts";

type Headers = Readonly<Record<string, string>>;

/** The deadline has at most this many digits ("Timeout-Milliseconds"). */
const mostDigits = 10;

/** The deadline header; none without a deadline. */
function deadline(timeoutMs: number | undefined): Headers {
  if (timeoutMs === undefined || timeoutMs >= endlessMs) return {};
  const text = String(Math.max(0, Math.ceil(timeoutMs)));
  return text.length > mostDigits ? {} : { [timeoutHeader]: text };
}

/** The headers of a call with its deadline and metadata. Throws INVALID_ARGUMENT for invalid metadata. */
export function requestHeaders(own: Headers, { timeoutMs, metadata }: CallOptions): Headers {
  if (metadata !== undefined) checkMetadata(metadata);
  return {
    ...own,
    [versionHeader]: protocolVersion,
    ...deadline(timeoutMs),
    ...(metadata === undefined ? {} : (metadataHeaders(metadata) as Headers)),
  };
}

/** Metadata of an answer: its headers, and trailers, whose prefix is removed. */
export function reportMetadata({ onMetadata }: CallOptions, { headers }: Pick<HttpResponse, "headers">): void {
  if (onMetadata === undefined) return;
  const entries = Object.entries(receivedMetadata(headers)).map(
    ([name, value]) => [name.startsWith(trailerPrefix) ? name.slice(trailerPrefix.length) : name, value] as const,
  );
  onMetadata(ownMetadata(entries));
}
