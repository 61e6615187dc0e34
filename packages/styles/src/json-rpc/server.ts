// Serves a service as JSON-RPC 2.0 without a server library: bindings answer single requests, pass HTTP requests and write answers.
import { CallError, canonicalCodes, type Service } from "@roundtrip/contract";
import { type AnswerRequest, refusal, RpcExchange, type RpcServer } from "./exchange.ts";
import { style } from "./index.ts";
import { openRpcPath, rpcPath } from "./messages.ts";
import { type MissingMethod, methodsOf, missingMethodOf, type RpcMethods } from "./methods.ts";
import {
  checkAccept,
  HttpError,
  type HttpService,
  httpService,
  noContent,
  originForm,
  otherMethodAnswer,
  readMethods,
  type ReceivedRequest,
  type ServedExchange,
  SettledExchange,
  textAnswer,
} from "../shared/http/http-service.ts";
import { jsonMediaType } from "../shared/call-headers.ts";
import {
  type Describe,
  type DescribedServer,
  descriptionAnswer,
  type DescriptionOptions,
  nothingAt,
} from "../shared/http/description-answer.ts";
export { rpcPath } from "./messages.ts";
export { writeRefusal } from "./errors.ts";
export { answerDirectly, type AnswerRequest, errorResponse } from "./exchange.ts";
export { type SharedCalls } from "../shared/http/shared-calls.ts";
export { type MissingMethod, type RpcMethods } from "./methods.ts";

/** The error of a GET request, with the HTTP status of its code. */
function faultOf(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  const error = CallError.from(thrown);
  // A 401 states how to authenticate (RFC 9110, section 15.5.2).
  const headers = error.code === "UNAUTHENTICATED" ? { "www-authenticate": "Bearer" } : undefined;
  return new HttpError(canonicalCodes[error.code].http, error, headers);
}

const document: Describe = async ({ service: { contract } }, _origin, metadata) => {
  const { openRpcText } = await import("./openrpc.ts");
  return textAnswer(200, jsonMediaType, openRpcText(contract), metadata);
};

const page: Describe = async (...about) => (await import("./page.ts")).jsonRpcPage(...about);

function described(describe: Describe, about: DescribedServer, request: ReceivedRequest): SettledExchange {
  return new SettledExchange(
    descriptionAnswer(about, request, { describe, refuse: (thrown) => refusal(faultOf(thrown)) }),
  );
}

function exchangeOf(server: RpcServer, about: DescribedServer, request: ReceivedRequest): ServedExchange {
  const [path = ""] = originForm(request.url).split("?", 1);
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (path === rpcPath) {
    if (isRead) return described(page, about, request);
    if (request.method !== "POST")
      return new SettledExchange(otherMethodAnswer(path, request.method, [...readMethods, "POST"]));
    checkAccept(request.headers.accept);
    return new RpcExchange(server, request);
  }
  if (path === openRpcPath) {
    if (isRead) return described(document, about, request);
    return new SettledExchange(otherMethodAnswer(path, request.method, readMethods));
  }
  // The server as a whole (RFC 9110, section 9.3.7).
  if (request.method === "OPTIONS" && path === "*") return new SettledExchange(noContent());
  throw nothingAt(path, style, about);
}

/** @param answerWith returns what answers single requests of these methods */
export function jsonRpcService(
  service: Service,
  answerWith: (methods: RpcMethods, missing: MissingMethod) => AnswerRequest,
  options: DescriptionOptions,
): HttpService {
  const about: DescribedServer = { service, ...options };
  const methods = methodsOf(service);
  const server: RpcServer = { methods, answer: answerWith(methods, missingMethodOf(service, methods)) };
  return httpService(
    (request) => exchangeOf(server, about, request),
    (thrown) => refusal(faultOf(thrown)),
  );
}
