// Reads and decompresses bodies with Fastify. The style parses their content.
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import { type ContentDecoder, contentDecoder } from "../../../shared/node-server/content-decoder.ts";
import { writeAnswer } from "../../../shared/node-server/write-answer.ts";
import { bodyFault, type ServedExchange } from "@roundtrip/styles/http/server";

declare module "fastify" {
  interface FastifyRequest {
    /** Set when the request arrives. */
    exchange: ServedExchange;
    /** Decompresses the body; undefined for a body without a content coding. */
    decoder: ContentDecoder | undefined;
  }
}

interface Unreadable {
  readonly thrown: Error & { readonly status?: number; readonly statusCode?: number };
  readonly maxBytes: number;
}

/** Answers a request that Fastify cannot read. The connection stays open: the rest of the body is received and discarded. */
export function refuse(request: FastifyRequest, reply: FastifyReply, { thrown, maxBytes }: Unreadable): void {
  const { raw, exchange, decoder } = request;
  raw.unpipe();
  decoder?.destroy();
  raw.resume();
  reply.hijack();
  const fault = bodyFault({ status: thrown.status ?? thrown.statusCode, message: thrown.message }, maxBytes);
  writeAnswer(exchange, exchange.refuse(fault), reply.raw);
}

function unpacked({ raw }: FastifyRequest, payload: RequestPayload, decoder: ContentDecoder): RequestPayload {
  // If the caller disconnects, the decoder's stream must end too.
  raw.once("error", (thrown) => decoder.destroy(thrown));
  // Fastify stops listening once a body is too large; without a listener, invalid data after that would end the process.
  decoder.on("error", () => undefined);
  // A decoder's `bytesWritten` is the number of bytes it has read. Fastify compares that with the content length.
  return Object.defineProperty(payload.pipe(decoder), "receivedEncodedLength", { get: () => decoder.bytesWritten });
}

/** Makes an application read every body as bytes. */
export function parseBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) =>
    done(null, bytes.length === 0 ? undefined : bytes),
  );
  app.addHook("preParsing", (request, _reply, payload, next) => {
    const { "content-type": type, "content-encoding": coding } = request.raw.headers;
    // The style judges media types; Fastify would refuse unknown ones with its own answer.
    if (request.exchange.takes === "body" && type !== "application/json") {
      request.headers = { "content-type": "application/octet-stream" };
    }
    try {
      const decoder = contentDecoder(coding);
      request.decoder = decoder;
      next(null, decoder && unpacked(request, payload, decoder));
    } catch (thrown) {
      next(thrown as Error);
    }
  });
  app.setErrorHandler((thrown: Unreadable["thrown"], request, reply) => refuse(request, reply, { thrown, maxBytes }));
}
