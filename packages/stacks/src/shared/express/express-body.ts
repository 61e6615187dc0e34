// Bodies as express reads them: decompressed, and no more of them than allowed.
import express from "express";
import { bodyFault, declaredTooLarge } from "@roundtrip/styles/http/server";
import type { ReadBody } from "../node-server/read-body.ts";

/** A reader of bodies of at most `maxBytes`, counted after decompression. */
export function expressBody(maxBytes: number): ReadBody {
  const readBytes = express.raw({ limit: maxBytes, type: () => true });
  return (request, response, done, fail) => {
    // Known before it has come: body-parser would wait for all of it.
    const fault = declaredTooLarge(request.headers, maxBytes);
    if (fault !== undefined) {
      fail(fault);
      return;
    }
    readBytes(request, response, (thrown: unknown) => {
      if (thrown !== undefined) {
        fail(bodyFault(thrown, maxBytes));
        return;
      }
      const bytes = (request as { readonly body?: Uint8Array }).body;
      done(bytes === undefined || bytes.length === 0 ? undefined : bytes);
    });
  };
}
