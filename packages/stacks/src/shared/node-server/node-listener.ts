// A node:http listener for an HTTP service. Most server libraries are or accept such listeners.
import type { IncomingMessage, RequestListener } from "node:http";
import type { HttpService, ReceivedRequest } from "@roundtrip/styles/http/server";
import type { ServeOptions } from "../../basics/stack.ts";
import { unhurriedBody } from "./unhurried-body.ts";
import { bodyReader, type ReadBytes } from "./read-body.ts";
import { writeAnswer } from "./write-answer.ts";

/** The request listener of a service. @param read reads bodies of at most `maxMessageBytes`. */
export function nodeListener(
  service: HttpService,
  read: ReadBytes,
  { maxMessageBytes, maxRequestMs }: Pick<ServeOptions, "maxMessageBytes" | "maxRequestMs">,
): RequestListener {
  const readBody = bodyReader(read, maxMessageBytes);
  return (request, response) => {
    // A received request always has a method and a URL.
    const exchange = service.begin(request as IncomingMessage & ReceivedRequest);
    switch (exchange.takes) {
      case "nothing":
        writeAnswer(exchange, exchange.answer(undefined), response);
        break;
      case "body":
        readBody(
          request,
          response,
          (body) => writeAnswer(exchange, exchange.answer(body), response),
          (fault) => writeAnswer(exchange, exchange.refuse(fault), response),
        );
        break;
      case "pieces": {
        const pieces = unhurriedBody(request, response, maxRequestMs);
        writeAnswer(exchange, exchange.answerPieces(pieces), response);
      }
    }
  };
}
