// Streams of plain bytes, for bindings whose `body` or `response_body` names a bytes field. The body is that field of all messages in sequence.
import { create, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import type { HttpBinding, Operation } from "@roundtrip/contract";
import { field as rulesOption } from "@roundtrip/contract/gen/buf/validate/validate_pb";

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
