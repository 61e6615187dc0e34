// A request body of newline-delimited JSON, or of bytes, as a stream of requests: read no faster than the handler takes them.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled } from "@roundtrip/contract";
import type { Request } from "express";
import { inTime } from "../../in-time.ts";
import { parsedJson, checkCharset, unsupported } from "../../http/json-body.ts";
import { linesOf, linesType } from "./lines.ts";
import { octetMessages, octetsType } from "./octets.ts";
import type { Route } from "../routing/routes.ts";

/** A request whose line the route shall read. */
export interface StreamedRequest {
  readonly request: Request;
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  /** Of each message. */
  readonly maxMessageBytes: number;
  /** How long each message may take to come. */
  readonly maxRequestMs: number;
}

/** Bytes of no stated type are what they are (RFC 9110, section 8.3). */
function areOctets({ headers }: Request): boolean {
  const type = headers["content-type"];
  return type === undefined || type === octetsType || /^application\/octet-stream\s*(?:;|$)/i.test(type);
}

/** Throws 415 for a body that is no stream of requests. No body is a stream without requests. */
export function checkStreamType(request: Request, { octets }: Route): void {
  const { headers } = request;
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  if (octets === undefined || !areOctets(request)) {
    const type = headers["content-type"] ?? "of no stated type";
    if (type !== linesType && !/^application\/x-ndjson\s*(?:;|$)/i.test(type)) {
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
  const { request, route, segments, query, maxMessageBytes } = from;
  try {
    // What is not read goes on being received and thrown away, so that the connection can be used again.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    if (route.octets !== undefined && areOctets(request)) {
      yield* octetMessages(chunks, route.octets, maxMessageBytes, () => route.read(segments, query, undefined));
      return;
    }
    for await (const line of linesOf(chunks, maxMessageBytes)) {
      yield route.read(segments, query, parsedJson(line, route.parse));
    }
  } catch (thrown) {
    throw thrown instanceof CallError ? thrown : callerCancelled();
  } finally {
    request.resume();
  }
}

/**
 * The requests, each as it is read. Throws INVALID_ARGUMENT, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED for one that does not come, or
 * CANCELLED when the caller goes away.
 */
export function requestStream(from: StreamedRequest): AsyncGenerator<Message> {
  return inTime(messagesOf(from), from.maxRequestMs);
}
