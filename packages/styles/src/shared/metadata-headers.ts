// Metadata as HTTP/2 headers of Node.js, in both directions. Bytes are base64 text on the wire and in the contract's form.
import { binaryMetadata, type Metadata } from "@roundtrip/contract";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";

function isBinary(name: string): boolean {
  return name.endsWith("-bin");
}

/** @param metadata valid for every style. */
export function metadataHeaders(metadata: Metadata): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {};
  for (const [name, text] of metadata) headers[name] = isBinary(name) ? text.replace(/=+$/, "") : text;
  return headers;
}

/** Several values of one name arrive joined; other clients may pad base64, or use its URL alphabet. */
function withoutPadding(text: string): string {
  const values = text.split(",").map((value) => binaryMetadata.encode(Buffer.from(value.trim(), "base64")));
  return values.join(", ");
}

/** All received headers except HTTP's pseudo-headers; reserved names included. */
export function receivedMetadata(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || name.startsWith(":")) return [];
    const text = typeof value === "string" ? value : value.join(", ");
    return [[name, isBinary(name) ? withoutPadding(text) : text] as const];
  });
  return Object.fromEntries(entries);
}
