// A service over HTTP as a listener of node:http, which most server libraries are, or take.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { HttpAnswer, WholeAnswer } from "./http-answer.ts";
import type { HttpService, ReceivedRequest, ServedExchange } from "./http-service.ts";
import { giveOwnPace } from "./own-pace.ts";
import type { ReadBody } from "./read-body.ts";
import { writeAnswer, writeWhole } from "./write-answer.ts";

export interface NodeListenerOptions {
  readonly readBody: ReadBody;
  /** How long what is left of a stream of requests may take to come once it is answered. */
  readonly maxRequestMs: number;
}

/** The pieces of a body. What is not read goes on being received and thrown away, so that the connection can be used again. */
function piecesOf(request: IncomingMessage): AsyncIterable<Buffer> {
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => pieces.next(),
      async return() {
        await pieces.return?.();
        request.resume();
        return { done: true, value: undefined };
      },
    }),
  };
}

function reply(exchange: ServedExchange, answer: WholeAnswer | Promise<HttpAnswer>, response: ServerResponse): void {
  if (!(answer instanceof Promise)) {
    writeWhole(answer, response);
    return;
  }
  response.once("close", () => {
    if (!response.writableFinished) exchange.cancel();
  });
  void answer.then((later) => writeAnswer(later, response, exchange.signal));
}

/** The request listener of a service. */
export function nodeListener(service: HttpService, { readBody, maxRequestMs }: NodeListenerOptions): RequestListener {
  return (request, response) => {
    // A request that a server has received has a method and a URL.
    const exchange = service.begin(request as IncomingMessage & ReceivedRequest);
    switch (exchange.takes) {
      case "nothing":
        reply(exchange, exchange.answer(undefined), response);
        break;
      case "body":
        readBody(
          request,
          response,
          (body) => reply(exchange, exchange.answer(body), response),
          (fault) => reply(exchange, exchange.refuse(fault), response),
        );
        break;
      case "pieces":
        giveOwnPace(request, response, maxRequestMs);
        reply(exchange, exchange.answerPieces(piecesOf(request)), response);
    }
  };
}
