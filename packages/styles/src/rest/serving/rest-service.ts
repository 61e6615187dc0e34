// Serves a service as REST without a server library: the contract defines the routes; server bindings pass requests and write answers.
import type { Service } from "@roundtrip/contract";
import { checkAccept } from "../../shared/http/accept.ts";
import type { DescriptionOptions } from "../../shared/http/description-answer.ts";
import type { HttpService, ReceivedRequest, ServedExchange } from "../../shared/http/http-service.ts";
import { SettledExchange } from "../../shared/http/settled-exchange.ts";
import { unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { errorAnswer } from "../answers/answer.ts";
import type { ErrorForm, RestDialect } from "../dialects/dialect.ts";
import { standard } from "../dialects/standard.ts";
import { limitations } from "../limitations.ts";
import { badRequest } from "../../shared/proto-json/bad-request.ts";
import { segmentsOf, type RouteMatch } from "../routing/router.ts";
import { routesOf, type LazyRoute } from "../routing/routes.ts";
import { unroutedAnswer, type Unrouted } from "../routing/unrouted.ts";
import { arePlain, plainSegments, type PlainRoute } from "./plain-route.ts";
import { RestExchange, type RestServer } from "./rest-exchange.ts";

// Visible ASCII: everything else is percent-encoded (RFC 3986, section 2). So is "#", because a request has no fragment.
const visibleAscii = /^[!"$-~]*$/;
const absolute = /^https?:\/\/[^/?]*/i;

/** Path and query of the target. A client that expects a proxy sends an absolute URL (RFC 9112, section 3.2.2). */
function targetOf(url: string): string {
  if (!visibleAscii.test(url)) throw badRequest("the URL has characters that are not percent-encoded");
  if (url.startsWith("/")) return url;
  const rest = url.replace(absolute, "");
  return rest.startsWith("?") || rest === "" ? `/${rest}` : rest;
}

type FindRoute = (method: string, path: string, request: ReceivedRequest) => RouteMatch<LazyRoute> | SettledExchange;

/** The exchange of a request. Throws the error of a request that is refused before its call begins. */
function exchangeOf(server: RestServer, request: ReceivedRequest, find: FindRoute): ServedExchange {
  const url = targetOf(request.url);
  const mark = url.indexOf("?");
  const found = find(request.method, mark === -1 ? url : url.slice(0, mark), request);
  if (found instanceof SettledExchange) return found;
  const { operation, isRaw } = found.target;
  const { kind } = operation;
  if (kind === "bidi_streaming") throw unsupportedFeature(limitations, "bidiStream");
  if (kind !== "server_streaming" && server.checksAccept && !isRaw) checkAccept(request.headers.accept);
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
        return new SettledExchange(errorAnswer(thrown, server.errors));
      }
    },
  };
}

export interface RestServiceOptions extends DescriptionOptions {
  /** The limit of a request, or of each message of a stream. */
  readonly maxMessageBytes: number;
  /** Maximum time for each message of a stream, in milliseconds. */
  readonly maxRequestMs: number;
}

export interface RestService extends HttpService {
  /** For server libraries with their own router; all other requests go to the whole service. */
  readonly plainRoutes: readonly PlainRoute[];
}

/** Throws a StyleError if two operations of the contract have the same route. */
export function restService(
  service: Service,
  { maxMessageBytes, maxRequestMs, tls, examplesOf }: RestServiceOptions,
  dialect: RestDialect = standard,
): RestService {
  const { all, router } = routesOf(service.contract, dialect);
  const { errorType, writeError: write, metadataOf, checksAccept } = dialect;
  const errors: ErrorForm = { errorType, write, metadataOf };
  const server = { service, maxMessageBytes, maxRequestMs, errors, checksAccept };
  const unrouted: Unrouted = { service, router, tls, dialect, examplesOf };
  const find: FindRoute = (method, path, request) => {
    const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
    return match ?? new SettledExchange(unroutedAnswer(unrouted, request, path));
  };
  const plain = plainSegments(all.map(({ binding }) => binding));
  const plainRoutes = all.flatMap((target): readonly PlainRoute[] => {
    const { binding } = target;
    const segments = plain.get(binding);
    if (segments === undefined) return [];
    const findPlain: FindRoute = (method, path, request) => {
      const received = segmentsOf(path);
      return arePlain(received) ? { target, segments: received } : find(method, path, request);
    };
    return [{ method: binding.method, segments, ...serviceOver(server, findPlain) }];
  });
  return { ...serviceOver(server, find), plainRoutes };
}
