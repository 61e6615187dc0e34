// Messages in protobuf's binary form, for the stacks that send them so, with the errors that their callers get.
import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { CallError } from "../basics/call-error.ts";
import { checkWholeText } from "../basics/whole-text.ts";
import type { Operation } from "../descriptors/contract.ts";

/** Client: throws INVALID_ARGUMENT for a message that cannot be written. */
export function requestToBinary({ input }: Operation, request: Message): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = toBinary(input, request);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no valid ${input.typeName}`, {}, { cause });
  }
  checkWholeText(request, bytes);
  return bytes;
}

/** Server: throws INVALID_ARGUMENT for bytes that are no request. */
export function requestFromBinary({ input }: Operation, bytes: Uint8Array): Message {
  try {
    return fromBinary(input, bytes);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request is no ${input.typeName}`, {}, { cause });
  }
}

/** Client: throws INTERNAL for bytes that are no response. */
export function responseFromBinary({ output }: Operation, bytes: Uint8Array): Message {
  try {
    return fromBinary(output, bytes);
  } catch (cause) {
    throw new CallError("INTERNAL", `the response is no ${output.typeName}`, {}, { cause });
  }
}
