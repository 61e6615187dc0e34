// Bodies read from node:http: decoded, and no more of them than allowed.
import type { IncomingMessage } from "node:http";
import { bodyFault, declaredTooLarge } from "@roundtrip/styles/http/server";
import { type ContentDecoder, contentDecoder } from "../../../shared/node-server/content-decoder.ts";
import type { ReadBody } from "../../../shared/node-server/read-body.ts";

/** Whether a request has a body (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
}

/** Calls back with the body, or with what keeps it from being read; what is left of it then is received and thrown away. */
function gather(
  request: IncomingMessage,
  decoder: ContentDecoder | undefined,
  maxBytes: number,
  done: (thrown: unknown, bytes: Buffer) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isOver = false;
  const body = decoder === undefined ? request : request.pipe(decoder);
  const end = (thrown?: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (decoder !== undefined) {
      request.unpipe(decoder);
      decoder.destroy();
      request.resume();
    }
    done(thrown, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  };
  body.on("data", (chunk: Buffer) => {
    if (isOver) return;
    bytes += chunk.length;
    if (bytes > maxBytes) end({ status: 413 });
    else chunks.push(chunk);
  });
  body.once("end", () => end()).on("error", end);
  // A caller who goes is no error of the decoder.
  if (decoder !== undefined) request.on("error", end);
}

/** A reader of bodies of at most `maxBytes`, counted after they are decoded. */
export function wholeBody(maxBytes: number): ReadBody {
  return (request, _response, done, fail) => {
    if (!hasBody(request)) {
      done(undefined);
      return;
    }
    const fault = declaredTooLarge(request.headers, maxBytes);
    if (fault !== undefined) {
      fail(fault);
      return;
    }
    let decoder: ContentDecoder | undefined;
    try {
      decoder = contentDecoder(request.headers["content-encoding"]);
    } catch (thrown) {
      fail(bodyFault(thrown, maxBytes));
      return;
    }
    gather(request, decoder, maxBytes, (thrown, bytes) => {
      if (thrown !== undefined) fail(bodyFault(thrown, maxBytes));
      else done(bytes.length === 0 ? undefined : bytes);
    });
  };
}
