// Decompresses request bodies for servers whose library does not.
import type { contentCodings } from "@roundtrip/styles/http/server";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, type Zlib } from "node:zlib";

export type ContentDecoder = Transform & Zlib;

const decoders: Readonly<Record<(typeof contentCodings)[number], () => ContentDecoder>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
};

function isKnown(coding: string): coding is keyof typeof decoders {
  return Object.hasOwn(decoders, coding);
}

/** A decoding stream for a Content-Encoding header; undefined for plain bodies. Throws an Error of `status` 415 for an unsupported coding. */
export function contentDecoder(contentEncoding: string | undefined): ContentDecoder | undefined {
  const coding = (contentEncoding ?? "identity").toLowerCase();
  if (coding === "identity") return undefined;
  if (isKnown(coding)) return decoders[coding]();
  throw Object.assign(new Error(`unsupported content encoding "${coding}"`), { status: 415 });
}
