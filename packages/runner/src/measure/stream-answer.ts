// Reduces a stream of answers to one value, so that stacks can be compared: stacks may split bytes into messages differently.
import { ScalarType, toJson, type JsonObject, type Message } from "@bufbuild/protobuf";
import type { Contract, Operation } from "@roundtrip/contract";
import { crc32 } from "node:zlib";

/**
 * One answer is itself, in ProtoJSON. Of a stream of nothing but bytes there is `{ [field]: { sizeBytes, crc32 } }`, of any other
 * `{ messages: […] }`.
 */
export async function streamAnswer(
  { registry }: Contract,
  { kind, output }: Operation,
  answers: AsyncIterable<Message>,
): Promise<JsonObject> {
  const [field, ...others] = output.fields;
  const areBytes = others.length === 0 && field?.fieldKind === "scalar" && field.scalar === ScalarType.BYTES;
  const messages: JsonObject[] = [];
  let sizeBytes = 0;
  let checksum = 0;
  for await (const answer of answers) {
    if (kind === "server_streaming" && areBytes) {
      const bytes = (answer as Message & Record<string, unknown>)[field.localName] as Uint8Array;
      sizeBytes += bytes.length;
      checksum = crc32(bytes, checksum);
    } else messages.push(toJson(output, answer, { registry }) as JsonObject);
  }
  if (kind !== "server_streaming") return messages[0] ?? {};
  return areBytes ? { [field.jsonName]: { sizeBytes, crc32: checksum } } : { messages };
}
