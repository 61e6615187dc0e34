// A request body of newline-delimited JSON as a stream of requests, read no faster than the handler takes them.
import type { Message } from "@bufbuild/protobuf";
import { CallError, callerCancelled } from "@roundtrip/contract";
import type { Request } from "express";
import { parsedJson, checkCharset, unsupported } from "../json-body.ts";
import { linesOf, linesType } from "./lines.ts";
import type { Route } from "./routes.ts";

/** A request whose line the route shall read. */
export interface StreamedRequest {
  readonly request: Request;
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  /** Of each line. */
  readonly maxMessageBytes: number;
}

/** Throws 415 for a body that is no newline-delimited JSON. No body is a stream without requests. */
export function checkLinesType({ headers }: Request): void {
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  const type = headers["content-type"] ?? "of no stated type";
  if (type !== linesType && !/^application\/x-ndjson\s*(?:;|$)/i.test(type)) {
    throw unsupported(`the body is ${type}`, `${linesType}, a message on each line`, { accept: linesType });
  }
  checkCharset(type, linesType);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity") {
    throw unsupported(`a stream cannot be encoded as ${encoding}`, `${linesType} as it is`, {
      "accept-encoding": "identity",
    });
  }
}

/** The requests, each as it is read. Throws INVALID_ARGUMENT, RESOURCE_EXHAUSTED, or CANCELLED when the caller goes away. */
export async function* requestStream(from: StreamedRequest): AsyncGenerator<Message> {
  const { request, route, segments, query, maxMessageBytes } = from;
  try {
    // What is not read goes on being received and thrown away, so that the connection can be used again.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    for await (const line of linesOf(chunks, maxMessageBytes)) {
      yield route.read(segments, query, parsedJson(line, route.parse));
    }
  } catch (thrown) {
    throw thrown instanceof CallError ? thrown : callerCancelled();
  } finally {
    request.resume();
  }
}
