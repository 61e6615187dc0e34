// Sends answers by Fastify's reply, and those that it cannot send, streams and connections that are cut, beside it.
import type { FastifyReply } from "fastify";
import { writeAnswer } from "../../../shared/node-server/write-answer.ts";
import type { HttpAnswer, ServedExchange, WholeAnswer } from "@roundtrip/styles/http/server";

/** Text is JSON already; without this, Fastify adds a charset to its media type, which JSON does not have. */
function asItIs(text: unknown): string {
  return text as string;
}

function sendNow(reply: FastifyReply, exchange: ServedExchange, answer: HttpAnswer): void {
  const { status, headers, body, cut } = answer;
  if (cut === undefined && (typeof body !== "object" || body instanceof Uint8Array)) {
    // Nobody is there any more.
    if (reply.raw.destroyed) reply.hijack();
    else reply.code(status).headers(headers).serializer(asItIs).send(body);
  } else {
    reply.hijack();
    writeAnswer(exchange, Promise.resolve(answer), reply.raw);
  }
}

/** Sends the answer of an exchange, at once or when it is there, and cancels the exchange when the caller goes before that. */
export function send(reply: FastifyReply, exchange: ServedExchange, answer: WholeAnswer | Promise<HttpAnswer>): void {
  if (!(answer instanceof Promise)) {
    sendNow(reply, exchange, answer);
    return;
  }
  const { raw } = reply;
  raw.once("close", () => {
    if (!raw.writableFinished) exchange.cancel();
  });
  void answer.then((later) => sendNow(reply, exchange, later));
}
