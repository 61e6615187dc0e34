// What client bindings over HTTP/1.1 use.
export { HttpExchange, overBefore, piecesUntilOver, type ExchangeLimits } from "./http-exchange.ts";
export { type HttpRequest, type HttpResponse, type HttpStream, type HttpStreamRequest } from "./http-message.ts";
export { type HttpTransport } from "./http-transport.ts";
export { responseTooLarge } from "./whole-body.ts";
