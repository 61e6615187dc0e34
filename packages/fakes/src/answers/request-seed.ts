// The seed of an answer: numbers from the fake's seed, the operation and the request. Equal requests give equal seeds, over every style.
import { type DescField, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Seed } from "./draw.ts";

/** Fakes, and the example requests for them, depend on the same seed. */
export const usualSeed = 1;

/** Whether equal messages may have different bytes, since map entries come in any order. */
function holdsMaps(desc: DescMessage, seen = new Set<DescMessage>()): boolean {
  if (seen.has(desc)) return false;
  seen.add(desc);
  return desc.fields.some(
    (field) => field.fieldKind === "map" || (field.message !== undefined && holdsMaps(field.message, seen)),
  );
}

function spelledValue(field: DescField, value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (field.message !== undefined) return spelled(value as ReflectMessage);
  return JSON.stringify(typeof value === "bigint" ? String(value) : Object.is(value, -0) ? "-0" : String(value));
}

/** The same text for equal messages: fields in the order of the type, map entries in the order of their keys. */
function spelled(message: ReflectMessage): string {
  const parts = message.fields.map((field) => {
    if (!message.isSet(field)) return "";
    if (field.fieldKind === "list") return [...message.get(field)].map((item) => spelledValue(field, item)).join();
    if (field.fieldKind === "map") {
      const entries = [...message.get(field)].map(
        ([key, item]) => `${JSON.stringify(String(key))}:${spelledValue(field, item)}`,
      );
      return entries.toSorted().join();
    }
    return spelledValue(field, message.get(field));
  });
  return `{${parts.join(";")}}`;
}

/** A request as bytes, the same for equal requests. Unknown fields are ignored. */
export type RequestBytes = (request: Message) => Buffer;

export function requestBytes(desc: DescMessage): RequestBytes {
  if (holdsMaps(desc)) return (request) => Buffer.from(spelled(reflect(desc, request, false)));
  return (request) => {
    const bytes = toBinary(desc, request, { writeUnknownFields: false });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
}

/** @param index the position of the answer among those of one call */
export function answerSeed(seed: number, operationHash: number, hash: number, index = 0): Seed {
  return [seed, operationHash, hash, index];
}
