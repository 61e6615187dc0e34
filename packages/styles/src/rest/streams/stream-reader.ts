// Reads response streams of JSON, in every dialect.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import { CallError, isObject, type Contract, type Operation } from "@roundtrip/contract";
import { foreignAnswer, type HttpStream } from "../../shared/http/client.ts";
import { jsonReader, jsonSubject, type ParseJson } from "../../shared/proto-json/json-text.ts";
import { messageReader } from "../response-codec.ts";
import type { ClientRoute } from "../client-route.ts";
import { errorFrom } from "../errors.ts";
import { jsonValues, type JsonPiece, linesOf, linesType } from "./lines.ts";
import { errorKeyOf } from "./stream-form.ts";

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

function streamReaders(contract: Contract, operation: Operation, { binding, fields }: ClientRoute): StreamReaders {
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

/** Reads a stream of JSON: lines of the default dialect, or what other dialects send as one JSON document. */
export function jsonMessages(contract: Contract, operation: Operation, route: ClientRoute, maxBytes: number) {
  const readers = streamReaders(contract, operation, route);
  return async function* (response: HttpStream): AsyncGenerator<Message> {
    const isOwn = typeOf(response).startsWith(linesType);
    const read = isOwn ? readers.line : readers.value;
    const pieces = isOwn ? linePieces(response.body, maxBytes) : jsonValues(response.body, maxBytes);
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

/** The media type of an answer; empty without one. */
export function typeOf({ headers }: Pick<HttpStream, "headers">): string {
  const { "content-type": type } = headers;
  return typeof type === "string" ? type : "";
}
