// Streams whose bodies are bytes as they are. The contract asks for it where a binding's `body` or `response_body` names a field of type
// bytes: the body is that field, and a stream's body that of all its messages, one after the other.
import { create, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";

/** The media type of bytes that are nothing else. */
export const octetsType = "application/octet-stream";

/** A message as an object whose fields go by their names. */
type Fields = Message & Record<string, unknown>;

function bytesField({ fields }: DescMessage, name: string): DescField | undefined {
  const field = fields.find((one) => one.name === name);
  const isBytes = field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES && field.oneof === undefined;
  return isBytes ? field : undefined;
}

/** The field of which a stream of requests is the bytes; undefined when it is JSON. */
export function requestOctets({ input, kind }: Operation, { body }: HttpBinding): DescField | undefined {
  return kind === "client_streaming" ? bytesField(input, body) : undefined;
}

/** The field of which a stream of answers is the bytes; undefined when it is JSON. */
export function answerOctets({ output, kind }: Operation, { responseBody }: HttpBinding): DescField | undefined {
  return kind === "server_streaming" ? bytesField(output, responseBody) : undefined;
}

/** The bytes of a message. */
export function octetsOf(message: Message, { localName }: DescField): Uint8Array {
  return (message as Fields)[localName] as Uint8Array;
}

/** The most bytes that one message of a stream may have by the rules of the contract. */
function mostBytesOf(field: DescField): number {
  const type = hasOption(field, rulesOption) ? getOption(field, rulesOption).type : undefined;
  const most = type?.case === "bytes" ? Number(type.value.maxLen) : 0;
  return most === 0 ? Number.POSITIVE_INFINITY : most;
}

/** The pieces of a body in messages as large as may be. What came in one piece is no message, so it may be cut. */
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

/** A message without its bytes: what of it is in the URL. */
export function withoutOctets(message: Message, { localName }: DescField): Message {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message) as object) as Fields, message);
  copy[localName] = nothing;
  return copy;
}
