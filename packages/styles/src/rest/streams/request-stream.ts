// Reads a body of newline-delimited JSON or bytes as a request stream, no faster than the handler reads.
import type { Message } from "@bufbuild/protobuf";
import {
  CallError,
  callerCancelled,
  heldBy,
  type HeldMemory,
  inTime,
  largeRequestBytes,
  memoryExhausted,
  ownTurn,
} from "@roundtrip/contract";
import type { IncomingHttpHeaders } from "node:http";
import { checkCharset, HttpError, parsedJson, unsupported } from "../../shared/http/http-service.ts";
import { jsonValues, linesOf, linesType, MessageTooLarge } from "./lines.ts";
import { httpBodyMessages, octetMessages, octetsType } from "../raw-bodies.ts";
import type { Route } from "../routes.ts";

export interface StreamedRequest {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly contentType: string | undefined;
  /** What has arrived of a message counts as memory of this connection. */
  readonly connection: object;
  readonly route: Route;
  readonly segments: readonly string[];
  readonly query: string;
  readonly maxMessageBytes: number;
  /** Maximum time for each message, in milliseconds. */
  readonly maxRequestMs: number;
}

/** The field whose bytes the body is; undefined for JSON. By default, a body without a media type is bytes (RFC 9110, section 8.3). */
function octetsIn(type: string | undefined, { octets, dialect }: Pick<Route, "octets" | "dialect">) {
  if (type === undefined) return dialect.streams === "negotiated" ? octets : undefined;
  return type === octetsType || /^application\/octet-stream\s*(?:;|$)/i.test(type) ? octets : undefined;
}

/** Throws 415 for a body that is not a request stream. A missing body is a stream without requests. */
export function checkStreamType(headers: IncomingHttpHeaders, route: Route): void {
  const { octets, dialect, rawRequest } = route;
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
  if (rawRequest === undefined && octetsIn(headers["content-type"], route) === undefined) {
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

/** What has arrived of the next message of a stream counts as memory of its connection. */
class NextMessage {
  readonly #memory: HeldMemory;
  #bytes = 0;

  constructor(connection: object) {
    this.#memory = heldBy(connection);
  }

  /** The same pieces. Throws RESOURCE_EXHAUSTED if the connection would hold too much. */
  async *of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      if (!this.#memory.take(piece.length)) throw memoryExhausted();
      this.#bytes += piece.length;
      yield piece;
    }
  }

  release(): void {
    this.#memory.giveBack(this.#bytes);
    this.#bytes = 0;
  }
}

async function* messagesOf(from: StreamedRequest): AsyncGenerator<Message> {
  const { pieces, contentType, connection, route, segments, query, maxMessageBytes } = from;
  const next = new NextMessage(connection);
  const parsed = (json: Uint8Array): Message => route.read(segments, query, parsedJson(json, route.parse));
  const read = (json: Uint8Array): Message | Promise<Message> => {
    next.release();
    return json.length < largeRequestBytes ? parsed(json) : ownTurn().then(() => parsed(json));
  };
  try {
    if (route.rawRequest !== undefined) {
      const newMessage = (): Message => route.read(segments, query, undefined);
      const raw = { pieces, type: contentType ?? "", maxBytes: maxMessageBytes, newMessage };
      yield* httpBodyMessages(raw, route.rawRequest);
      return;
    }
    const octets = octetsIn(contentType, route);
    if (octets !== undefined) {
      yield* octetMessages(pieces, octets, maxMessageBytes, () => route.read(segments, query, undefined));
      return;
    }
    if (route.dialect.streams !== "negotiated") {
      for await (const { bytes } of jsonValues(next.of(pieces), maxMessageBytes)) yield read(bytes);
      return;
    }
    for await (const line of linesOf(next.of(pieces), maxMessageBytes)) yield read(line);
  } catch (thrown) {
    if (thrown instanceof HttpError) throw new MessageTooLarge(thrown.message);
    throw thrown instanceof CallError ? thrown : callerCancelled();
  } finally {
    next.release();
  }
}

/** The requests on arrival. Throws INVALID_ARGUMENT, RESOURCE_EXHAUSTED, DEADLINE_EXCEEDED if one is late, or CANCELLED if the caller disconnects. */
export function requestStream(from: StreamedRequest): AsyncGenerator<Message> {
  return inTime(messagesOf(from), from.maxRequestMs);
}
