// Serves a service as JSON-RPC 2.0 without a server library: bindings answer single requests, pass HTTP requests and write answers.
import { CallError, canonicalCodes, type Contract, type ExampleOf, type Service } from "@roundtrip/contract";
import { checkAccept } from "../../shared/http/accept.ts";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { HttpError } from "../../shared/http/http-error.ts";
import type { HttpService, ReceivedRequest, ServedExchange } from "../../shared/http/http-service.ts";
import { incomingCall } from "../../shared/http/incoming-call.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { SettledExchange } from "../../shared/http/settled-exchange.ts";
import { metadataHeaders, textAnswer } from "../../shared/http/text-answer.ts";
import { openRpcPath, rpcPath } from "../endpoint.ts";
import type { AnswerRequest } from "./answer-request.ts";
import { refusal, RpcExchange, type RpcServer } from "./rpc-exchange.ts";
import { methodsOf, type RpcMethods } from "./rpc-methods.ts";

/** What descriptions need. */
interface Described {
  readonly service: Service;
  readonly scheme: "http" | "https";
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

/** The error of a GET request, with the HTTP status of its code. */
function faultOf(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  const error = CallError.from(thrown);
  // A 401 states how to authenticate (RFC 9110, section 15.5.2).
  const headers = error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : undefined;
  return new HttpError(canonicalCodes[error.code].http, error, headers);
}

type Describe = (about: Described, location: string, metadata: AnswerHeaders | undefined) => Promise<WholeAnswer>;

const document: Describe = async ({ service: { contract } }, _location, metadata) => {
  const { openRpcText } = await import("../openrpc/openrpc.ts");
  return textAnswer(200, jsonMediaType, openRpcText(contract), metadata);
};

const page: Describe = async ({ service: { contract }, examplesOf }, location, metadata) => {
  const [{ pageHeaders }, { methodsPage }, exampleOf] = await Promise.all([
    import("../../shared/pages/page-headers.ts"),
    import("../pages/methods-page.ts"),
    examplesOf(contract),
  ]);
  const text = methodsPage(contract, location, exampleOf);
  return textAnswer(200, "text/html; charset=utf-8", text, { ...metadata, ...pageHeaders(text) });
};

/** The OpenRPC document or the page, for callers that the service's interceptors accept. */
async function described(describe: Describe, about: Described, request: ReceivedRequest): Promise<WholeAnswer> {
  let call: ReturnType<typeof incomingCall> | undefined;
  try {
    call = incomingCall(request);
    const { checkMayDescribe } = await import("../../shared/description-guard.ts");
    await checkMayDescribe(about.service, call);
    const location = `${about.scheme}://${request.headers.host ?? "localhost"}${rpcPath}`;
    return await describe(about, location, metadataHeaders(call));
  } catch (thrown) {
    return refusal(faultOf(thrown));
  } finally {
    call?.finish();
  }
}

/** The answer to OPTIONS. Throws 405 for another method. */
function allowed({ method }: ReceivedRequest, path: string, allow: string): WholeAnswer {
  if (method === "OPTIONS") return { status: 204, headers: { allow }, body: undefined, cut: undefined };
  throw new HttpError(405, new CallError("UNIMPLEMENTED", `${path} does not answer ${method}, but ${allow}`), {
    allow,
  });
}

const absolute = /^https?:\/\/[^/?]*/i;

/** The path of a request target, which may be an absolute URL (RFC 9112, section 3.2.2). */
function pathOf(url: string): string {
  const target = url.startsWith("/") ? url : url.replace(absolute, "");
  const mark = target.indexOf("?");
  return mark === -1 ? target : target.slice(0, mark);
}

function exchangeOf(server: RpcServer, about: Described, request: ReceivedRequest): ServedExchange {
  const path = pathOf(request.url);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (path === rpcPath) {
    if (isRead) return new SettledExchange(described(page, about, request));
    if (request.method !== "POST") return new SettledExchange(allowed(request, path, "GET, HEAD, OPTIONS, POST"));
    checkAccept(request.headers.accept);
    return new RpcExchange(server, request);
  }
  if (path === openRpcPath) {
    if (isRead) return new SettledExchange(described(document, about, request));
    return new SettledExchange(allowed(request, path, "GET, HEAD, OPTIONS"));
  }
  // The server as a whole (RFC 9110, section 9.3.7).
  if (request.method === "OPTIONS" && path === "*") {
    return new SettledExchange({ status: 204, headers: {}, body: undefined, cut: undefined });
  }
  throw new HttpError(404, new CallError("UNIMPLEMENTED", `there is nothing at ${path}: calls are sent to ${rpcPath}`));
}

export interface JsonRpcServiceOptions {
  /** Undefined without TLS. */
  readonly tls: object | undefined;
  /** Makes the requests that the page shows. Called when it is opened. */
  readonly examplesOf: (contract: Contract) => Promise<ExampleOf>;
}

/** @param answerWith returns what answers single requests of these methods */
export function jsonRpcService(
  service: Service,
  answerWith: (methods: RpcMethods) => AnswerRequest,
  { tls, examplesOf }: JsonRpcServiceOptions,
): HttpService {
  const about: Described = { service, scheme: tls === undefined ? "http" : "https", examplesOf };
  const methods = methodsOf(service);
  const server: RpcServer = { methods, answer: answerWith(methods) };
  return {
    begin(request) {
      try {
        return exchangeOf(server, about, request);
      } catch (thrown) {
        return new SettledExchange(refusal(faultOf(thrown)));
      }
    },
  };
}
