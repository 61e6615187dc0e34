// Messages as bytes, in each encoding of Connect.
import type { DescMessage, Message } from "@bufbuild/protobuf";
import { CallError, requestToBinary, responseFromBinary, type Contract, type Operation } from "@roundtrip/contract";
import { jsonReader } from "../shared/proto-json/scalars.ts";
import { messageFromJson } from "../shared/proto-json/message-from-json.ts";
import { messageToJson } from "../shared/proto-json/message-to-json.ts";
import type { Encoding } from "./wire.ts";

export interface ClientCodec {
  /** Throws INVALID_ARGUMENT for a message that cannot be written. */
  readonly write: (request: Message) => Uint8Array;
  /** Throws INTERNAL for bytes that are no answer. */
  readonly read: (bytes: Uint8Array) => Message;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function jsonWriterOf({ registry }: Contract, type: DescMessage): ClientCodec["write"] {
  const toJson = messageToJson(type, { registry });
  return (message) => {
    try {
      return Buffer.from(JSON.stringify(toJson(message)));
    } catch (cause) {
      if (cause instanceof CallError) throw cause;
      throw new CallError("INVALID_ARGUMENT", `the request is no valid ${type.typeName}`, {}, { cause });
    }
  };
}

/** Ignores unknown fields, because the server may be newer than the caller. */
function jsonReaderOf({ registry }: Contract, type: DescMessage): ClientCodec["read"] {
  const fromJson = messageFromJson(type, { registry, ignoreUnknownFields: true });
  const parse = jsonReader(type);
  return (bytes) => {
    try {
      return fromJson(parse(utf8.decode(bytes)));
    } catch (cause) {
      throw new CallError("INTERNAL", `the response is no ${type.typeName}`, {}, { cause });
    }
  };
}

export function clientCodec(contract: Contract, operation: Operation, encoding: Encoding): ClientCodec {
  if (encoding === "json") {
    return { write: jsonWriterOf(contract, operation.input), read: jsonReaderOf(contract, operation.output) };
  }
  return {
    write: (request) => requestToBinary(operation, request),
    // Not a Buffer, so that `bytes` fields have the same type on every stack.
    read: ({ buffer, byteOffset, length }) => responseFromBinary(operation, new Uint8Array(buffer, byteOffset, length)),
  };
}
