// A service as REST, on values: the contract brings the routes, and whatever library serves it brings requests and writes answers.
import type { Service } from "@roundtrip/contract";
import type { HttpService, ReceivedRequest, ServedExchange } from "../../shared/http/http-service.ts";
import { SettledExchange } from "../../shared/http/settled-exchange.ts";
import { cannot } from "../../shared/refused.ts";
import { checkAccept } from "../answers/accept.ts";
import { errorAnswer } from "../answers/answer.ts";
import { limitations } from "../limitations.ts";
import { badRequest } from "../requests/bad-request.ts";
import { segmentsOf, type RouteMatch } from "../routing/router.ts";
import { routesOf, type Route } from "../routing/routes.ts";
import { unroutedAnswer } from "../routing/unrouted.ts";
import { arePlain, plainSegments, type PlainRoute } from "./plain-route.ts";
import { RestExchange, type RestServer } from "./rest-exchange.ts";

// Visible ASCII: everything else is percent-encoded (RFC 3986, section 2). So is "#", for a fragment is none of a server's business.
const sayable = /^[!"$-~]*$/;
const absolute = /^https?:\/\/[^/?]*/i;

/** Path and query of what was asked for. Whoever takes this for a proxy names the server in front (RFC 9112, section 3.2.2). */
function targetOf(url: string): string {
  if (!sayable.test(url)) throw badRequest("the URL has characters that are not percent-encoded");
  if (url.startsWith("/")) return url;
  const rest = url.replace(absolute, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
}

/** Finds what a method and a path without its query mean; a request that it does not find has its answer already. */
type FindRoute = (method: string, path: string, request: ReceivedRequest) => RouteMatch<Route> | SettledExchange;

/** The exchange of a request. Throws what the request is refused with before there is a call. */
function exchangeOf(server: RestServer, request: ReceivedRequest, find: FindRoute): ServedExchange {
  const url = targetOf(request.url);
  const mark = url.indexOf("?");
  const found = find(request.method, mark === -1 ? url : url.slice(0, mark), request);
  if (found instanceof SettledExchange) return found;
  const { kind } = found.target.operation;
  if (kind === "bidi_streaming") throw cannot(limitations, "bidiStream");
  if (kind !== "server_streaming") checkAccept(request.headers.accept);
  const exchange = new RestExchange(server, found, mark === -1 ? "" : url.slice(mark + 1), request);
  const refused = kind === "client_streaming" ? exchange.refusedStream() : undefined;
  return refused === undefined ? exchange : new SettledExchange(refused);
}

function serviceOver(server: RestServer, find: FindRoute): HttpService {
  return {
    begin(request) {
      try {
        return exchangeOf(server, request, find);
      } catch (thrown) {
        return new SettledExchange(errorAnswer(thrown, undefined, undefined));
      }
    },
  };
}

export interface RestServiceOptions {
  /** Of a request, or of each message of a stream. */
  readonly maxMessageBytes: number;
  /** How long each message of a stream may take to come. */
  readonly maxRequestMs: number;
  /** Undefined where the service is reached without TLS. */
  readonly tls: object | undefined;
}

export interface RestService extends HttpService {
  /** For a server library that routes itself; what it finds no route for goes to the service as a whole. */
  readonly plainRoutes: readonly PlainRoute[];
}

/** Throws a StackError when the contract has two operations at one place. */
export function restService(service: Service, options: RestServiceOptions): RestService {
  const { maxMessageBytes, maxRequestMs, tls } = options;
  const { all, router } = routesOf(service.contract);
  const server = { service, maxMessageBytes, maxRequestMs };
  const unrouted = { service, router, scheme: tls === undefined ? "http" : "https" } as const;
  const find: FindRoute = (method, path, request) => {
    const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
    return match ?? new SettledExchange(unroutedAnswer(unrouted, request, path));
  };
  const plain = plainSegments(all.map(({ binding }) => binding));
  const plainRoutes = all.flatMap(({ binding, route }): readonly PlainRoute[] => {
    const segments = plain.get(binding);
    if (segments === undefined) return [];
    const findPlain: FindRoute = (method, path, request) => {
      const received = segmentsOf(path);
      return arePlain(received) ? { target: route, segments: received } : find(method, path, request);
    };
    return [{ method: binding.method, segments, ...serviceOver(server, findPlain) }];
  });
  return { ...serviceOver(server, find), plainRoutes };
}
