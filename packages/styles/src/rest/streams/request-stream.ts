// Reads a body of newline-delimited JSON or bytes as a request stream, no faster than the handler reads.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled, inTime } from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http";
import { parsedJson, checkCharset, unsupported } from "../../shared/http/json-body.ts";
import { jsonValues } from "./json-values.ts";
import { linesOf, linesType } from "./lines.ts";
import { octetMessages, octetsType } from "./octets.ts";
import type { Route } from "../routing/routes.ts";

export interface StreamedRequest {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly contentType: string | undefined;
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  /** The limit of each message. */
  readonly maxMessageBytes: number;
  /** Maximum time for each message, in milliseconds. */
  readonly maxRequestMs: number;
}

/** Bytes without a media type are accepted (RFC 9110, section 8.3). */
function areOctets(type: string | undefined): boolean {
  return type === undefined || type === octetsType || /^application\/octet-stream\s*(?:;|$)/i.test(type);
}

/** Throws 415 for a body that is not a request stream. A missing body is a stream without requests. */
export function checkStreamType(headers: IncomingHttpHeaders, { octets, dialect }: Route): void {
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  if (octets === undefined || !areOctets(headers["content-type"])) {
    const type = headers["content-type"] ?? "of no stated type";
    const isLines = type === linesType || /^application\/x-ndjson\s*(?:;|$)/i.test(type);
    if (!isLines && dialect.streams !== "negotiated") dialect.checkBodyType(headers["content-type"]);
    else if (!isLines) {
      const types = octets === undefined ? [linesType] : [octetsType, linesType];
      const wanted = types.join(", or ");
      throw unsupported(`the body is ${type}`, `${wanted}, a message on each line`, { accept: types.join(", ") });
    }
    checkCharset(type, linesType);
  }
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupported(`a stream cannot be encoded as ${encoding}`, "it as it is", { "accept-encoding": "identity" });
  }
}

async function* messagesOf(from: StreamedRequest): AsyncGenerator<Message> {
  const { pieces, contentType, route, segments, query, maxMessageBytes } = from;
  try {
    if (route.octets !== undefined && areOctets(contentType)) {
      yield* octetMessages(pieces, route.octets, maxMessageBytes, () => route.read(segments, query, undefined));
      return;
    }
    if (route.dialect.streams !== "negotiated") {
      for await (const { bytes } of jsonValues(pieces, maxMessageBytes)) {
        yield route.read(segments, query, parsedJson(bytes, route.parse));
      }
      return;
    }
    for await (const line of linesOf(pieces, maxMessageBytes)) {
      yield route.read(segments, query, parsedJson(line, route.parse));
    }
  } catch (thrown) {
    throw thrown instanceof CallError ? thrown : callerCancelled();
  }
}

/** The requests on arrival. Throws INVALID_ARGUMENT, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED if one is late, or CANCELLED if the caller disconnects. */
export function requestStream(from: StreamedRequest): AsyncGenerator<Message> {
  return inTime(messagesOf(from), from.maxRequestMs);
}
