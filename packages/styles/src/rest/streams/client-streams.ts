// How a client writes request streams and reads response streams, in every dialect.
import type { DescField, JsonValue, Message } from "@bufbuild/protobuf";
import {
  CallError,
  type Contract,
  type FieldPaths,
  type HttpBinding,
  isObject,
  jsonIn,
  type Operation,
} from "@roundtrip/contract";
import { errorFrom } from "../errors.ts";
import {
  contentTypeIn,
  type HttpBodyPlace,
  octetsOf,
  octetsType,
  rawBodyOf,
  requestHttpBody,
  requestOctets,
  withoutOctets,
} from "../raw-bodies.ts";
import type { WriteRequest } from "../requests/request-writer.ts";
import { messageReader } from "../response-codec.ts";
import { jsonValues, type JsonPiece, linesOf, linesType } from "./lines.ts";
import { errorKeyOf, eventsType } from "./stream-form.ts";
import { foreignAnswer, type HttpStream } from "../../shared/http/client.ts";
import { readEvents } from "../../shared/http/event-reader.ts";
import { jsonReader, jsonSubject, type ParseJson } from "../../shared/proto-json/scalars.ts";
import { badRequest } from "../../shared/proto-json/json-errors.ts";

interface StreamedRoute {
  readonly binding: HttpBinding;
  readonly write: WriteRequest;
  readonly fields: FieldPaths;
  /** For example `GET /v1/customers/{id}`. */
  readonly name: string;
}

// Request streams: JSON lines, or the bytes of a field.

interface RequestsForm {
  /** The media type of the stream, by its first request; undefined for none. */
  readonly typeOf: (first: Message) => string | undefined;
  readonly urlOf: (request: Message) => string;
  /** The request's part of the body. Throws if the request has another URL. */
  readonly piece: (request: Message, url: string) => Uint8Array;
}

function checkRoute(url: string, other: string): void {
  if (other !== url) throw badRequest(`the requests of one stream must have the same URL: ${url}, ${other}`);
}

function linesForm({ write }: StreamedRoute): RequestsForm {
  return {
    typeOf: () => linesType,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      const written = write(request);
      checkRoute(url, written.url);
      return Buffer.from(`${(written.body as string | undefined) ?? "null"}\n`);
    },
  };
}

function octetsForm({ write }: StreamedRoute, field: DescField): RequestsForm {
  const urlOf = (request: Message): string => write(withoutOctets(request, field)).url;
  const isBytesAlone = field.parent.fields.length === 1;
  return {
    typeOf: () => octetsType,
    urlOf,
    piece(request, url) {
      if (!isBytesAlone) checkRoute(url, urlOf(request));
      return octetsOf(request, field);
    },
  };
}

function rawForm({ write }: StreamedRoute, place: HttpBodyPlace): RequestsForm {
  return {
    typeOf: (first) => write(first).type,
    urlOf: (request) => write(request).url,
    piece(request, url) {
      checkRoute(url, write(request).url);
      return rawBodyOf(request, place).bytes;
    },
  };
}

export function requestsForm(operation: Operation, route: StreamedRoute): RequestsForm {
  const raw = requestHttpBody(operation, route.binding);
  if (raw !== undefined) return rawForm(route, raw);
  const octets = requestOctets(operation, route.binding);
  return octets === undefined ? linesForm(route) : octetsForm(route, octets);
}

/** The pieces of a body. Throws if a request belongs to another URL. */
export async function* piecesOf(requests: AsyncIterable<Message>, { piece }: RequestsForm, url: string) {
  for await (const request of requests) yield piece(request, url);
}

// Response streams: lines of the default dialect, or what other dialects send as one JSON document.

/** The error in a line; undefined for a message. */
function errorInLine(json: JsonValue, key: string): CallError | undefined {
  if (typeof json !== "object" || json === null || !Object.hasOwn(json, key) || Object.keys(json).length > 1) {
    return undefined;
  }
  return errorFrom((json as Record<string, JsonValue>)[key]);
}

const utf8 = new TextDecoder();

/** Reads the JSON of a stream's message. Throws the error of the call, or an Error for JSON that is not of the contract. */
type ReadPiece = (bytes: Uint8Array, isItem: boolean) => Message;

interface StreamReaders {
  /** A line of the default dialect. */
  readonly line: ReadPiece;
  /** A value of the others: an item of an array, or a message or error in an object of its own. */
  readonly value: ReadPiece;
}

/** The message in `{"result": …}`. Throws the error in `{"error": …}`, or an Error for other JSON. */
function unwrapped(json: JsonValue): JsonValue {
  const { result } = isObject(json) ? json : {};
  if (result === undefined) throw errorFrom(json) ?? new Error("neither a result nor an error");
  return result;
}

function streamReaders(contract: Contract, operation: Operation, { binding, fields }: StreamedRoute): StreamReaders {
  const parse: ParseJson = jsonReader(jsonSubject(operation.output, binding.responseBody));
  const read = messageReader(contract, operation, binding);
  const ownKey = errorKeyOf(operation, binding);
  const readWith = (json: JsonValue, errorKey: string): Message => {
    const error = errorInLine(json, errorKey);
    if (error !== undefined) throw fields.restored(error);
    return read(json);
  };
  return {
    line: (bytes) => readWith(parse(utf8.decode(bytes)), ownKey),
    value(bytes, isItem) {
      const json = parse(utf8.decode(bytes));
      return isItem ? readWith(json, "error") : read(unwrapped(json));
    },
  };
}

async function* linePieces(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<JsonPiece> {
  for await (const bytes of linesOf(chunks, maxBytes)) yield { bytes, isItem: false };
}

function foreignError(): CallError {
  return new CallError("INTERNAL", "the stream ended with an error that is not of the contract");
}

/** The data of server-sent events. Throws the error of the call in an event of that name. */
async function* eventPieces(
  { body }: HttpStream,
  { fields }: StreamedRoute,
  maxBytes: number,
): AsyncGenerator<JsonPiece> {
  for await (const { event, data } of readEvents(body, maxBytes)) {
    if (event === "message") yield { bytes: Buffer.from(data), isItem: false };
    if (event === "error") throw fields.restored(errorFrom(jsonIn(data)) ?? foreignError());
  }
}

/** Reads a stream of JSON: lines or events of the default dialect, or what other dialects send as one JSON document. */
export function jsonMessages(contract: Contract, operation: Operation, route: StreamedRoute, maxBytes: number) {
  const readers = streamReaders(contract, operation, route);
  return async function* (response: HttpStream): AsyncGenerator<Message> {
    const type = contentTypeIn(response);
    const isEvents = type.startsWith(eventsType);
    const isLines = type.startsWith(linesType);
    const read = isEvents || isLines ? readers.line : readers.value;
    const pieces = isEvents
      ? eventPieces(response, route, maxBytes)
      : isLines
        ? linePieces(response.body, maxBytes)
        : jsonValues(response.body, maxBytes);
    for await (const { bytes, isItem } of pieces) {
      let message: Message;
      try {
        message = read(bytes, isItem);
      } catch (thrown) {
        throw thrown instanceof CallError ? thrown : foreignAnswer(response, route.name, thrown);
      }
      yield message;
    }
  };
}
