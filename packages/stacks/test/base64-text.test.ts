// Bytes as base64 by Node.js: the same texts and bytes as protobuf-es has, in either alphabet.
import { base64Decode, base64Encode } from "@bufbuild/protobuf/wire";
import { assert, constantFrom, nat, property, uint8Array } from "fast-check";
import { expect, test } from "vitest";
import { bytesOfText, textOfBytes } from "../src/proto-json/base64-text.ts";

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

test.each([1, 100, 5_000, 100_000])("%i bytes that are kept keep no others", (length) => {
  const kept = bytesOfText(textOfBytes(new Uint8Array(length)));
  expect(kept.buffer.byteLength).toBe(length);
});
