// Serves a service as REST without a server library: routes, pages, OPTIONS, and errors before a call begins.
import { CallError, type HttpBinding, type Service } from "@roundtrip/contract";
import { errorAnswer, type ErrorForm, type RestDialect, standard } from "./dialects.ts";
import { RestExchange, type RestServer } from "./exchange.ts";
import { docsPath, documentPaths, limitations, style } from "./index.ts";
import { type RouteMatch, type Router, segmentsOf } from "./router.ts";
import { type LazyRoute, routesOf } from "./routes.ts";
import {
  type AnswerHeaders,
  checkAccept,
  type WholeAnswer,
  HttpError,
  type HttpService,
  httpService,
  noContent,
  originForm,
  otherMethodAnswer,
  type PlainRoute,
  readMethods,
  type ReceivedRequest,
  type RoutedService,
  type ServedExchange,
  SettledExchange,
  textAnswer,
} from "../shared/http/http-service.ts";
import { jsonMediaType } from "../shared/call-headers.ts";
import { badRequest } from "../shared/proto-json/json-errors.ts";
import {
  type DescribedServer,
  descriptionAnswer,
  type DescriptionOptions,
  nothingAt,
} from "../shared/http/description-answer.ts";
import { unsupportedFeature } from "../shared/limitations.ts";
import { hasOpenNames } from "../shared/unknown-name.ts";
export { dialectOf, dialectSettings } from "./dialects.ts";

// Parts for servers with another composition, and for comparisons of contracts.
export { problemOf, problemType } from "./errors.ts";
export { answerHttpBody, requestHttpBody } from "./raw-bodies.ts";
export { textReader } from "./requests/request-reader.ts";
export { answersNothing } from "./response-codec.ts";
export { Router } from "./router.ts";
export { HttpError } from "../shared/http/http-service.ts";
export { badField } from "../shared/proto-json/json-errors.ts";

// Answers requests without a route: OPTIONS, pages for browsers, and otherwise 404 or 405.

export interface Unrouted extends DescribedServer {
  readonly router: Router<LazyRoute>;
  readonly dialect: RestDialect;
}

function pageFor(unrouted: Unrouted, request: ReceivedRequest, path: string): Promise<WholeAnswer> {
  const { dialect } = unrouted;
  return descriptionAnswer(unrouted, request, {
    async describe(about, origin, metadata) {
      const { contract } = about.service;
      if (path === docsPath) return (await import("./page.ts")).restPage(about, origin, metadata);
      const { openApi, openApiDocument } = await import("./openapi/openapi.ts");
      const headers = { ...metadata, "x-content-type-options": "nosniff" };
      if (path.endsWith(".json")) {
        return textAnswer(200, jsonMediaType, JSON.stringify(openApiDocument(contract, dialect)), headers);
      }
      return textAnswer(200, "application/yaml; charset=utf-8", openApi(contract, dialect), headers);
    },
    refuse: (thrown, call) => errorAnswer(thrown, { ...dialect, write: dialect.writeError }, call),
  });
}

/** 404, with the nearest route. */
async function missingAnswer(unrouted: Unrouted, { method }: ReceivedRequest, path: string): Promise<WholeAnswer> {
  const { service, dialect } = unrouted;
  let error = nothingAt(path, style, unrouted);
  if (hasOpenNames(service)) {
    const { refusals } = await import("./refusals.ts");
    const nearest = refusals.nearest({ method, url: path }, service.contract);
    if (nearest !== undefined) {
      const text = `there is nothing at ${path}; did you mean "${nearest.address}"?`;
      error = new HttpError(404, new CallError("UNIMPLEMENTED", text));
    }
  }
  return errorAnswer(error, { ...dialect, write: dialect.writeError });
}

/** The answer at a path without a route for the method. Throws an HttpError for 405. */
export function unroutedAnswer(
  unrouted: Unrouted,
  request: ReceivedRequest,
  path: string,
): WholeAnswer | Promise<WholeAnswer> {
  const { method } = request;
  const isPage = documentPaths.includes(path);
  const methods = unrouted.router.methodsOf(path);
  // RFC 5789, section 3.1.
  const headers: AnswerHeaders = methods.includes("PATCH") ? { "accept-patch": jsonMediaType } : {};
  if (methods.length > 0) {
    return otherMethodAnswer(path, method, methods.includes("GET") ? [...methods, "HEAD"] : methods, headers);
  }
  if (isPage && (method === "GET" || method === "HEAD")) return pageFor(unrouted, request, path);
  if (isPage) return otherMethodAnswer(path, method, readMethods);
  // The server as a whole (RFC 9110, section 9.3.7).
  if (method === "OPTIONS" && path === "*") return noContent();
  return missingAnswer(unrouted, request, path);
}

/** The same refusal, with the nearest verb. */
async function verbRefusal(
  { service, dialect }: Unrouted,
  { method }: ReceivedRequest,
  path: string,
  { status, error: { code, message, details }, headers }: HttpError,
): Promise<WholeAnswer> {
  const { verbHint } = await import("./refusals.ts");
  const error = new CallError(code, `${message}${verbHint(method, path, service.contract)}`, details);
  return errorAnswer(new HttpError(status, error, headers), { ...dialect, write: dialect.writeError });
}

/** The answer at a path without a route for the method. Throws an HttpError for 405, unless the path may end with a misspelled verb. */
function unmatched(unrouted: Unrouted, request: ReceivedRequest, path: string): WholeAnswer | Promise<WholeAnswer> {
  try {
    return unroutedAnswer(unrouted, request, path);
  } catch (thrown) {
    const mayHaveVerb = path.lastIndexOf(":") > path.lastIndexOf("/") && hasOpenNames(unrouted.service);
    if (mayHaveVerb && thrown instanceof HttpError) return verbRefusal(unrouted, request, path, thrown);
    throw thrown;
  }
}

// Routes that the router of any server library matches as this style does: literal segments and whole-segment variables.

/** Characters that every library reads literally. */
const plainText = /^[\w-]+$/;

/** The segments of a path; undefined if it has `**`, a `:verb` or a literal that a library might decode. */
function segmentsIn({ path, method }: HttpBinding): PlainRoute["segments"] | undefined {
  if (path.verb !== "" || method === "*") return undefined;
  const segments: (string | undefined)[] = [];
  for (const segment of path.segments) {
    if (segment.kind === "many" || (segment.kind === "literal" && !plainText.test(segment.text))) return undefined;
    segments.push(segment.kind === "literal" ? segment.text : undefined);
  }
  return segments;
}

/** Higher for routes whose variables come earlier. Routes of other lengths share no path. */
function rankOf({ segments }: PlainRoute): number {
  return segments.reduce((rank, text) => 2 * rank + (text === undefined ? 1 : 0), 0);
}

/** Whether some path may match both. Ignores segments after `**`. */
function mayMeet(plain: PlainRoute["segments"], { path }: HttpBinding): boolean {
  const rest = path.segments.findIndex(({ kind }) => kind === "many");
  const fixed = rest === -1 ? path.segments : path.segments.slice(0, rest);
  if (rest === -1 ? fixed.length !== plain.length : fixed.length > plain.length) return false;
  return fixed.every((segment, index) => {
    const text = plain[index];
    return segment.kind !== "literal" || text === undefined || text === segment.text;
  });
}

/** The segments of bindings that are plain and share no path with others, which libraries do not know. {@link arePlain} checks verbs. */
export function plainSegments(bindings: readonly HttpBinding[]): ReadonlyMap<HttpBinding, PlainRoute["segments"]> {
  const plain = new Map<HttpBinding, PlainRoute["segments"]>();
  for (const binding of bindings) {
    const segments = segmentsIn(binding);
    if (segments !== undefined) plain.set(binding, segments);
  }
  const others = bindings.filter((binding) => binding.path.verb === "" && !plain.has(binding));
  return new Map([...plain].filter(([, segments]) => !others.some((other) => mayMeet(segments, other))));
}

/**
 * Whether every library's router reads these segments alike. Some libraries accept empty segments, and some do not decode encoded ones. A colon in
 * the last segment may begin the verb of another route.
 */
export function arePlain(segments: readonly string[]): boolean {
  return (
    segments.every((segment) => segment !== "" && !segment.includes("%")) && segments.at(-1)?.includes(":") !== true
  );
}

// Visible ASCII: everything else is percent-encoded (RFC 3986, section 2). So is "#", because a request has no fragment.
const visibleAscii = /^[!"$-~]*$/;

/** Path and query of the target. */
function targetOf(url: string): string {
  if (!visibleAscii.test(url)) throw badRequest("the URL has characters that are not percent-encoded");
  return originForm(url);
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
  return httpService(
    (request) => exchangeOf(server, request, find),
    (thrown) => errorAnswer(thrown, server.errors),
  );
}

export interface RestServiceOptions extends DescriptionOptions {
  readonly maxMessageBytes: number;
  /** Maximum time for each message of a stream, in milliseconds. */
  readonly maxRequestMs: number;
}

/** Throws a StyleError if two operations of the contract have the same route. */
export function restService(
  service: Service,
  { maxMessageBytes, maxRequestMs, ...described }: RestServiceOptions,
  dialect: RestDialect = standard,
): RoutedService {
  const { all, router } = routesOf(service.contract, dialect);
  const { errorType, writeError: write, metadataOf, checksAccept } = dialect;
  const errors: ErrorForm = { errorType, write, metadataOf };
  const server = { service, maxMessageBytes, maxRequestMs, errors, checksAccept };
  const unrouted: Unrouted = { service, router, dialect, ...described };
  const find: FindRoute = (method, path, request) => {
    const match = router.match(method, path) ?? (method === "HEAD" ? router.match("GET", path) : undefined);
    return match ?? new SettledExchange(unmatched(unrouted, request, path));
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
  // Some libraries try routes in their order: literal segments take precedence over variables.
  return {
    ...serviceOver(server, find),
    plainRoutes: plainRoutes.toSorted((one, other) => rankOf(one) - rankOf(other)),
  };
}
