// Requests that are small on the wire and large in memory are refused before they are decoded; large ones of plain values are not.
import { describe, expect, test } from "vitest";
import { compileContract } from "../../stacks/test/support/compile-contract.ts";
import { CallError, maxDecodedBytes, type Operation, requestFromBinary } from "../src/index.ts";

const manyFields = Array.from({ length: 200 }, (_, index) => `  repeated string list${index} = ${index + 1};`).join(
  "\n",
);

const { operations } = compileContract(`
syntax = "proto3";
package sizes.v1;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
service Sizes { rpc Call(Item) returns (Item); }
message Item {
  repeated Item items = 1;
  map<string, Item> entries = 2;
  repeated string texts = 3;
  repeated bytes blobs = 4;
  repeated int64 longs = 5;
  repeated double numbers = 6;
  repeated int32 ints = 7;
  oneof choice { Item first = 8; Item second = 9; }
  google.protobuf.Struct struct = 10;
  repeated google.protobuf.Any details = 11;
  google.protobuf.Value value = 12;
  Item inner = 13;
  string text = 14;
  repeated Wide wide = 15;
  bytes blob = 16;
  repeated bool flags = 17;
  repeated Line lines = 18;
}
message Line { string text = 1; int32 number = 2; }
message Wide {
${manyFields}
}
`);

const older = compileContract(`
syntax = "proto2";
package older.v1;
service Older { rpc Call(Item) returns (Item); }
message Item {
  repeated group Part = 1 { optional int32 number = 1; }
  optional Colour colour = 2;
  extensions 100 to 200;
}
enum Colour {
${Array.from({ length: 2_000 }, (_, index) => `  COLOUR_${index} = ${index};`).join("\n")}
}
`).operations;

const [call] = operations as [Operation];
const [callOlder] = older as [Operation];

const mebibyte = 2 ** 20;

function repeated(piece: readonly number[], bytes = 4 * mebibyte): Uint8Array {
  const one = Uint8Array.from(piece);
  const all = new Uint8Array(Math.floor(bytes / one.length) * one.length);
  for (let at = 0; at < all.length; at += one.length) all.set(one, at);
  return all;
}

/** A field with a length. */
function delimited(field: number, content: Uint8Array): Uint8Array {
  const head: number[] = [];
  for (let rest of [(field << 3) | 2, content.length]) {
    for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80);
    head.push(rest);
  }
  return Buffer.concat([Uint8Array.from(head), content]);
}

function codeOf(bytes: Uint8Array, operation = call): string {
  try {
    requestFromBinary(operation, bytes);
    return "OK";
  } catch (thrown) {
    return CallError.from(thrown).code;
  }
}

/** Field 1 with a message of this field in it, and so on. */
function nested(levels: number): number[] {
  let bytes: number[] = [];
  for (let level = 0; level < levels; level += 1) bytes = [0x0a, bytes.length, ...bytes];
  return bytes;
}

describe("a request of 4 MB is refused that consists of", () => {
  test.each([
    ["empty messages", repeated([0x0a, 0])],
    ["messages in each other", repeated(nested(40))],
    ["empty entries of a map", repeated([0x12, 0])],
    ["empty texts", repeated([0x1a, 0])],
    ["texts of one character", repeated([0x1a, 1, 0x61])],
    ["empty bytes", repeated([0x22, 0])],
    ["packed 64-bit integers of one byte", delimited(5, repeated([1], 4 * mebibyte - 16))],
    ["64-bit integers that are not packed", repeated([0x28, 1])],
    ["members of a oneof in turn", repeated([0x42, 0, 0x4a, 0])],
    ["one struct in parts", repeated([0x52, 5, 0x0a, 3, 0x0a, 1, 0x61])],
    ["empty Any messages", repeated([0x5a, 0])],
    ["one message in parts with messages", repeated([0x6a, 2, 0x0a, 0])],
    ["one text again and again", repeated([0x72, 0])],
    ["unknown fields", repeated([0xf8, 0x0f, 0])],
    ["unknown groups", repeated([0xfb, 0x0f, 0xfc, 0x0f])],
    ["unknown fields in a group", Buffer.concat([Buffer.of(0xfb, 0x0f), repeated([0x08, 1]), Buffer.of(0xfc, 0x0f)])],
    ["a list of null values", delimited(12, delimited(6, repeated([0x0a, 2, 0x08, 0], 4 * mebibyte - 32)))],
    ["an integer where a message is expected", repeated([0x08, 0])],
  ])("%s", (_what, bytes) => {
    expect(codeOf(bytes)).toBe("RESOURCE_EXHAUSTED");
  });

  test("groups", () => expect(codeOf(repeated([0x0b, 0x0c]), callOlder)).toBe("RESOURCE_EXHAUSTED"));

  test("values of a long closed enum in turn", () =>
    expect(codeOf(repeated([0x10, 0xcf, 0x0f]), callOlder)).toBe("RESOURCE_EXHAUSTED"));

  test("extensions", () => expect(codeOf(repeated([0xa0, 0x06, 1]), callOlder)).toBe("RESOURCE_EXHAUSTED"));
});

test("refuses a small request whose empty messages have many fields", () => {
  expect(codeOf(repeated([0x7a, 0], 48 * 1024))).toBe("RESOURCE_EXHAUSTED");
  expect(codeOf(repeated([0x7a, 0], 1024))).toBe("OK");
});

describe("a request of 4 MB is decoded that consists of", () => {
  const contentBytes = 4 * mebibyte - 16;

  test.each([
    ["500,000 packed doubles", delimited(6, new Uint8Array(4_000_000))],
    ["500,000 doubles that are not packed", repeated([0x31, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])],
    [
      "packed integers of nine bytes",
      delimited(5, repeated([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], 4_000_000)),
    ],
    ["packed integers of two bytes", delimited(7, repeated([0x80, 1], contentBytes))],
    ["one text", delimited(14, new Uint8Array(contentBytes).fill(0x61))],
    ["bytes", delimited(16, new Uint8Array(contentBytes))],
    ["texts of 40 characters", repeated([0x1a, 40, ...Buffer.alloc(40, "a")])],
    ["messages with a text of 60 characters", repeated([0x92, 0x01, 62, 0x0a, 60, ...Buffer.alloc(60, "a")])],
  ])("%s", (_what, bytes) => {
    expect(bytes.length).toBeGreaterThan(3_900_000);
    expect(codeOf(bytes)).toBe("OK");
  });
});

describe("what cannot be decoded is still reported as that", () => {
  test.each([
    ["a message that ends early", Buffer.concat([repeated([0x72, 1, 0x61], 128 * 1024), Buffer.of(0x72, 9)])],
    ["a group that does not end", Buffer.concat([repeated([0x72, 1, 0x61], 128 * 1024), Buffer.of(0xfb, 0x0f)])],
    ["the end of no group", Buffer.concat([repeated([0x72, 1, 0x61], 128 * 1024), Buffer.of(0x0c)])],
    ["messages that nest too deep", Buffer.concat([repeated([0x72, 1, 0x61], 128 * 1024), deep(120)])],
    ["a tag of ten bytes", Buffer.concat([repeated([0x72, 1, 0x61], 128 * 1024), Buffer.alloc(10, 0xff)])],
  ])("%s", (_what, bytes) => {
    expect(codeOf(bytes)).toBe("INVALID_ARGUMENT");
  });
});

function deep(levels: number): Uint8Array {
  let bytes = new Uint8Array();
  for (let level = 0; level < levels; level += 1) bytes = Buffer.from(delimited(1, bytes));
  return bytes;
}

test("does not keep unknown fields, but those that are extensions", () => {
  const unknown = Buffer.of(0xf8, 0x0f, 1);
  expect(requestFromBinary(call, unknown)).not.toHaveProperty("$unknown");
  expect(requestFromBinary(callOlder, Buffer.of(0xa0, 0x06, 1)).$unknown).toHaveLength(1);
});

test("says what to do", () => {
  expect(() => requestFromBinary(call, repeated([0x0a, 0]))).toThrow(
    `the request takes more than ${maxDecodedBytes} bytes when it is decoded: send fewer or larger values`,
  );
});
