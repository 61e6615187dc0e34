// Bodies as Fastify reads them, decoded before that; what is in them the style reads.
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from "fastify";
import { type ContentDecoder, contentDecoder } from "../../../shared/node-server/content-decoder.ts";
import { writeAnswer } from "../../../shared/node-server/write-answer.ts";
import { bodyFault, type ServedExchange } from "@roundtrip/styles/http/server";

declare module "fastify" {
  interface FastifyRequest {
    /** Set as the request comes. */
    exchange: ServedExchange;
    /** What unpacks the body; undefined for a body that is sent as it is. */
    decoder: ContentDecoder | undefined;
  }
}

interface Unreadable {
  /** What Fastify or a decoder threw. */
  readonly thrown: Error & { readonly status?: number; readonly statusCode?: number };
  readonly maxBytes: number;
}

/** Answers a request that Fastify does not read. The connection stays: what is left of the body is received and thrown away. */
export function refuse(request: FastifyRequest, reply: FastifyReply, { thrown, maxBytes }: Unreadable): void {
  const { raw, exchange, decoder } = request;
  raw.unpipe();
  decoder?.destroy();
  raw.resume();
  reply.hijack();
  const fault = bodyFault({ status: thrown.status ?? thrown.statusCode, message: thrown.message }, maxBytes);
  writeAnswer(exchange, exchange.refuse(fault), reply.raw);
}

/** A packed body as Fastify is to read it. */
function unpacked({ raw }: FastifyRequest, payload: RequestPayload, decoder: ContentDecoder): RequestPayload {
  // A caller who goes is no error of the decoder.
  raw.once("error", (thrown) => decoder.destroy(thrown));
  // Fastify no longer listens once a body is too large; without a listener, data that is broken after that would end the process.
  decoder.on("error", () => undefined);
  // `bytesWritten` of a decoder are those that it has read, which Fastify compares with the content length.
  return Object.defineProperty(payload.pipe(decoder), "receivedEncodedLength", { get: () => decoder.bytesWritten });
}

/** Has an application read every body as bytes. */
export function parseBodies(app: FastifyInstance, maxBytes: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) =>
    done(null, bytes.length === 0 ? undefined : bytes),
  );
  app.addHook("preParsing", (request, _reply, payload, next) => {
    const { "content-type": type, "content-encoding": coding } = request.raw.headers;
    // The style judges media types; Fastify would refuse, in its own words, those that it cannot read.
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
