// Bytes as base64 by Node.js: the same texts and bytes as protobuf-es has, in either alphabet.
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { assert, constantFrom, nat, oneof, property, string, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { bytesOfText, textOfBytes } from "../src/shared/proto-json/scalars.ts";

const bytes = uint8Array({ maxLength: 300 });

test("the text of bytes is protobuf-es', also of a view into more bytes", () => {
  assert(
    property(bytes, nat({ max: 8 }), (all, from) => {
      expect(textOfBytes(all.subarray(from))).toBe(base64Encode(all.subarray(from)));
    }),
  );
});

test("the bytes of a text are protobuf-es', in either alphabet, padded or not, and a plain array", () => {
  assert(
    property(bytes, constantFrom("std", "std_raw", "url"), (all, alphabet) => {
      const text = base64Encode(all, alphabet);
      expect(bytesOfText(text)).toStrictEqual(base64Decode(text));
      expect(bytesOfText(text)).toStrictEqual(all);
    }),
  );
});

test.each([1, 100, 5_000, 100_000])("%i decoded bytes have their own memory", (length) => {
  const kept = bytesOfText(textOfBytes(new Uint8Array(length)));
  expect(kept?.buffer.byteLength).toBe(length);
});

const letters = /^[\w+/-]*={0,2}$/;

/** By the letters, one after the other. */
function isBase64(text: string): boolean {
  if (!letters.test(text)) return false;
  return text.endsWith("=") ? text.length % 4 === 0 : text.length % 4 !== 1;
}

const letter = constantFrom(...Array.from("ABYZabyz01289+/-_"));
// Ł, Ɂ and ％ are letters of base64 to whoever looks at half of them only.
const noLetter = constantFrom(...Array.from(" =\n\t.,\0!@ÁŁɁ％\uD800"));
const nearlyBase64 = oneof(
  string({ unit: letter }),
  string({ unit: oneof({ weight: 9, arbitrary: letter }, { weight: 1, arbitrary: noLetter }) }),
);

test("text that is not base64 has no bytes", () => {
  assert(
    property(nearlyBase64, constantFrom("", "", "=", "=="), (start, padding) => {
      const text = start + padding;
      expect({ text, isRead: bytesOfText(text) !== undefined }).toEqual({ text, isRead: isBase64(text) });
    }),
    { numRuns: 2_000 },
  );
});
