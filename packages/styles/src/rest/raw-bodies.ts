// Bodies that are bytes: google.api.HttpBody, and streams of bytes.
import {
  create,
  type DescField,
  type DescMessage,
  getOption,
  hasOption,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { type HttpBinding, isHttpBody, type Operation } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";

// google.api.HttpBody over REST: the body is its bytes, and Content-Type its content type, in requests, answers and streams of both. Where it is
// no body, and in every other style, it is a message like any other: https://github.com/googleapis/googleapis/blob/master/google/api/httpbody.proto

/** A body with its media type; both are empty for a missing body. */
export interface RawBody {
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface HttpBodyPlace {
  /** Undefined if the message itself is the HttpBody. */
  readonly field: DescField | undefined;
  readonly body: DescMessage;
}

/** The media type in OpenAPI, and in Accept headers of clients. */
export const anyType = "*/*";

function placeIn(message: DescMessage, fieldName: string): HttpBodyPlace | undefined {
  if (fieldName === "") return isHttpBody(message) ? { field: undefined, body: message } : undefined;
  const field = message.fields.find(({ name }) => name === fieldName);
  return field?.fieldKind === "message" && isHttpBody(field.message) ? { field, body: field.message } : undefined;
}

/** Undefined if the body of a request is JSON, or if there is none. */
export function requestHttpBody({ input }: Operation, { body }: HttpBinding): HttpBodyPlace | undefined {
  return body === "" ? undefined : placeIn(input, body === "*" ? "" : body);
}

/** Undefined if the body of an answer is JSON. */
export function answerHttpBody({ output }: Operation, { responseBody }: HttpBinding): HttpBodyPlace | undefined {
  return placeIn(output, responseBody);
}

type HttpBody = Message & { readonly contentType: string; readonly data: Uint8Array };

/** The HttpBody of a message; undefined if it is unset. */
export function httpBodyIn(message: Message, { field }: HttpBodyPlace): HttpBody | undefined {
  if (field === undefined) return message as HttpBody;
  const owner = reflect(field.parent, message);
  return field.fieldKind === "message" && owner.isSet(field) ? (owner.get(field).message as HttpBody) : undefined;
}

/** What a header can carry unchanged. */
export const headerText = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/;

/** Throws an Error for a content type that no header can carry. */
export function rawBodyOf(message: Message, place: HttpBodyPlace): RawBody {
  const { contentType: type, data: bytes } = httpBodyIn(message, place) ?? { contentType: "", data: new Uint8Array() };
  if (headerText.test(type)) return { type, bytes };
  throw new Error(`the content type ${JSON.stringify(type)} cannot be a header`);
}

/** Sets the HttpBody of a message. A field is left unset for a missing body. */
export function setRawBody(message: Message, { field, body }: HttpBodyPlace, { type, bytes }: RawBody): void {
  const data = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
  if (field === undefined) Object.assign(message, { contentType: type, data });
  else if (type !== "" || data.length > 0) {
    const value = Object.assign(create(body), { contentType: type, data });
    reflect(field.parent, message).set(field, reflect(body, value));
  }
}

/** A message without its body, for the URL. */
export function withoutRawBody(message: Message, { field, body }: HttpBodyPlace): Message {
  if (field === undefined) return create(body);
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message) as object) as Message, message);
  reflect(field.parent, copy).clear(field);
  return copy;
}

/** The content type of a message with headers; empty without one. */
export function contentTypeIn({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): string {
  const { "content-type": type } = headers;
  return typeof type === "string" ? type : "";
}

export interface RawStream {
  readonly pieces: AsyncIterable<Uint8Array>;
  readonly type: string;
  readonly maxBytes: number;
  readonly newMessage: () => Message;
}

/** The messages of a stream of bytes: one for each piece, all with the content type. */
export async function* httpBodyMessages(
  { pieces, type, maxBytes, newMessage }: RawStream,
  place: HttpBodyPlace,
): AsyncGenerator<Message> {
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += maxBytes) {
      const message = newMessage();
      setRawBody(message, place, { type, bytes: piece.subarray(at, at + maxBytes) });
      yield message;
    }
  }
}

// Streams of plain bytes, for bindings whose `body` or `response_body` names a bytes field. The body is that field of all messages in sequence.

/** The media type of plain bytes. */
export const octetsType = "application/octet-stream";

type Fields = Message & Record<string, unknown>;

function bytesField({ fields }: DescMessage, name: string): DescField | undefined {
  const field = fields.find((one) => one.name === name);
  const isBytes = field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES && field.oneof === undefined;
  return isBytes ? field : undefined;
}

/** The bytes field of a request stream; undefined for JSON streams. */
export function requestOctets({ input, kind }: Operation, { body }: HttpBinding): DescField | undefined {
  return kind === "client_streaming" ? bytesField(input, body) : undefined;
}

/** The bytes field of a response stream; undefined for JSON streams. */
export function answerOctets({ output, kind }: Operation, { responseBody }: HttpBinding): DescField | undefined {
  return kind === "server_streaming" ? bytesField(output, responseBody) : undefined;
}

export function octetsOf(message: Message, { localName }: DescField): Uint8Array {
  return (message as Fields)[localName] as Uint8Array;
}

/** The maximum bytes in one message, by the contract's rules. */
function mostBytesOf(field: DescField): number {
  const type = hasOption(field, rulesOption) ? getOption(field, rulesOption).type : undefined;
  const most = type?.case === "bytes" ? Number(type.value.maxLen) : 0;
  return most === 0 ? Number.POSITIVE_INFINITY : most;
}

/** Splits or passes on a body as messages of maximum size: received pieces are not messages. */
export async function* octetMessages(
  pieces: AsyncIterable<Uint8Array>,
  field: DescField,
  maxBytes: number,
  newMessage: () => Message = () => create(field.parent),
): AsyncGenerator<Message> {
  const most = Math.min(maxBytes, mostBytesOf(field));
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += most) {
      const message = newMessage() as Fields;
      message[field.localName] = piece.length <= most ? piece : piece.subarray(at, at + most);
      yield message;
    }
  }
}

const nothing = new Uint8Array();

/** A message without its bytes, for the URL. */
export function withoutOctets(message: Message, { localName }: DescField): Message {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message) as object) as Fields, message);
  copy[localName] = nothing;
  return copy;
}
