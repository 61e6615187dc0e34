// Shared parts for client bindings over HTTP/1.1.
export { HttpExchange, overBefore } from "./http-exchange.ts";
export {
  type ExchangeLimits,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  type HttpStreamRequest,
} from "./http-message.ts";
export { type HttpTransport } from "./http-transport.ts";
export { responseTooLarge, wholeResponse } from "./whole-response.ts";
