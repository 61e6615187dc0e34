// Bodies of Echo requests that cost a server far more time or memory than others of their size, unless it limits what it makes of them.
import type { Notation } from "../fuzzed-style.ts";
import { randomFrom } from "../mutate.ts";
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

export interface CostlyValues {
  /** For the names of attacks: `empty objects in a list`. */
  readonly name: string;
  /** Makes the field `values` in this notation: in JSON and XML its content, in protobuf the whole request. */
  readonly values: () => string | Buffer;
}

/** About the largest message that servers take by default. */
const bodyBytes = 4_000_000;

/** A new random bit with each call, the same in each run: bodies that do not shrink to nothing when they are compressed. */
function randomBits(): () => boolean {
  const random = randomFrom(1);
  return () => random.below(2) === 1;
}

/** @param text with spaces where an optional one may be. @param times as often as makes about {@link bodyBytes} by default */
function repeated(text: string, times?: number): string {
  const isSpaced = randomBits();
  const plain = text.replaceAll(" ", "");
  const count = times ?? Math.floor((2 * bodyBytes) / (text.length + plain.length));
  return Array.from({ length: count }, () => (isSpaced() ? text : plain)).join("");
}

function list(element: string): string {
  return `[${repeated(`${element}, `)}${element}]`;
}

function distinctKeys(value: string): string {
  const count = Math.floor(bodyBytes / `"k123456":${value},`.length);
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${value}`).join(",")}}`;
}

function nested(open: string, close: string): string {
  const levels = Math.floor(bodyBytes / (open.length + close.length));
  return open.repeat(levels) + close.repeat(levels);
}

/** A field of a message whose value has a length: a text, a message, or a block of numbers. */
function delimited(field: number, value: Buffer): Buffer {
  const head = [field * 8 + 2];
  for (let rest = value.length; ; rest >>>= 7) {
    head.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Buffer.concat([Buffer.from(head), value]);
  }
}

/** The pattern again and again. Its last byte is random, below this. */
function bytes(pattern: readonly number[], lastBelow = 1): Buffer {
  const random = randomFrom(1);
  const all = Buffer.alloc(bodyBytes, Buffer.from(pattern));
  if (lastBelow > 1)
    for (let at = pattern.length - 1; at < all.length; at += pattern.length) all[at] = random.below(lastBelow);
  return all;
}

// The fields are those of roundtrip.conformance.v1.EchoRequest.

const inProtobuf: readonly CostlyValues[] = [
  { name: "unknown fields", values: () => bytes([15 * 8, 0], 128) },
  { name: "unknown groups", values: () => bytes([15 * 8 + 3, 15 * 8 + 4]) },
  { name: "empty messages in a list", values: () => delimited(1, delimited(3, bytes([8 * 8 + 2, 0]))) },
  { name: "empty texts in a list", values: () => delimited(1, delimited(3, bytes([5 * 8 + 2, 0]))) },
  {
    name: "as many empty messages as are allowed",
    values: () => delimited(1, delimited(3, Buffer.alloc(2 * 80_000, Buffer.of(66, 0)))),
  },
  { name: "numbers of 64 bits in a block", values: () => delimited(1, delimited(3, delimited(2, bytes([0], 128)))) },
  { name: "empty entries of a map", values: () => delimited(1, delimited(4, bytes([8 + 2, 0]))) },
  {
    name: "nulls in a google.protobuf.ListValue",
    values: () => delimited(1, delimited(5, delimited(7, bytes([8 + 2, 0])))),
  },
  { name: "one message that is set again and again", values: () => bytes([8 + 2, 2, 8 * 8 + 2, 0]) },
];

const inJson: readonly CostlyValues[] = [
  { name: "empty objects in a list", values: () => `{"lists":{"trees":${list("{}")}}}` },
  { name: "empty texts in a list", values: () => `{"lists":{"texts":${list('""')}}}` },
  { name: "as many empty objects as are allowed", values: () => `{"lists":{"trees":[${repeated("{}, ", 60_000)}{}]}}` },
  { name: "numbers in a list", values: () => `{"lists":{"numbers":${list("0")}}}` },
  { name: "unknown fields", values: () => distinctKeys("0") },
  { name: "entries of a map", values: () => `{"maps":{"textByText":${distinctKeys('""')}}}` },
  { name: "empty lists in a google.protobuf.Value", values: () => `{"wellKnown":{"value":${list("[]")}}}` },
  { name: "lists inside each other", values: () => `{"wellKnown":{"value":${nested("[", "]")}}}` },
  { name: "brackets that open only", values: () => repeated("[") },
];

const inXml: readonly CostlyValues[] = [
  { name: "empty elements in a list", values: () => `<lists>${repeated("<trees /> ")}</lists>` },
  { name: "as many elements as are allowed", values: () => `<lists>${repeated("<trees /> ", 95_000)}</lists>` },
  { name: "unknown elements", values: () => repeated("<a /> ") },
  { name: "elements inside each other", values: () => `<tree>${nested("<only>", "</only>")}</tree>` },
  { name: "comments", values: () => repeated("<!-- -->") },
];

export const costlyValues: Readonly<Record<Notation, readonly CostlyValues[]>> = {
  protobuf: inProtobuf,
  json: inJson,
  xml: inXml,
};

/** By the names that HTTP and gRPC have for them. */
export const packings: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  identity: (body) => body,
  gzip: (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  // The usual quality would take the attacker seconds.
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  zstd: (body) => zstdCompressSync(body),
};

/** The packings in which to try a value: deflate, which unpacks as gzip does, is enough for the first one. */
export function packingsOf(at: number): readonly [encoding: string, pack: (body: Buffer) => Buffer][] {
  return Object.entries(packings).filter(([encoding]) => at === 0 || encoding !== "deflate");
}
