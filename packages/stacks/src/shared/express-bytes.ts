// Reads bodies with express.
import express from "express";
import type { ReadBytes } from "./node-server/request-body.ts";

/** Reads bodies of at most `maxBytes`, counted after decompression. */
export function expressBytes(maxBytes: number): ReadBytes {
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return (request, response, done) =>
    readBytes(request, response, (thrown: unknown) => done(thrown, (request as { readonly body?: Uint8Array }).body));
}
