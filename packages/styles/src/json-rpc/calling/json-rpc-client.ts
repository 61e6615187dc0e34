// A JSON-RPC 2.0 client of a contract, over any HTTP library.
import type { JsonValue, Message } from "@bufbuild/protobuf";
import {
  CallError,
  ClientSideError,
  codeFromHttp,
  fieldPaths,
  type CallOptions,
  type Client,
  type Contract,
  type FieldPaths,
  type Invoke,
  type InvokeTogether,
  type Operation,
} from "@roundtrip/contract";
import { foreignAnswer, reportMetadata, requestHeaders } from "../../shared/http/call-headers.ts";
import type { HttpResponse } from "../../shared/http/http-message.ts";
import type { ClientHalfOptions, HttpTransport } from "../../shared/http/http-transport.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { jsonReader, jsonWriter, type ParseJson, type StringifyJson } from "../../shared/proto-json/exact-json.ts";
import { messageFromJson } from "../../shared/proto-json/message-from-json.ts";
import { noStreams, refusedStream } from "../../shared/unsupported-feature.ts";
import { rpcPath } from "../endpoint.ts";
import { callErrorOf } from "../errors.ts";
import { limitations } from "../limitations.ts";
import type { RpcResponse } from "../messages.ts";
import { methodName } from "../method-name.ts";
import { paramsWriter, type WriteParams } from "../params.ts";
import { directCaller, type PostRpc, type RpcCaller } from "./rpc-caller.ts";

const headers = { accept: jsonMediaType, "content-type": jsonMediaType } as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

interface Endpoint {
  readonly http: HttpTransport;
  readonly path: string;
  readonly caller: RpcCaller;
}

/** How the JSON of requests is written, and that of responses read. */
interface Json {
  readonly stringify: StringifyJson;
  readonly parse: ParseJson;
}

/** The JSON of an answer. Throws the error of an answer that HTTP or another server gives. */
function jsonOf(response: HttpResponse, path: string, parse: ParseJson): unknown {
  const { status, body } = response;
  let json: unknown;
  try {
    json = parse(utf8.decode(body));
  } catch (cause) {
    if (status === 200) throw foreignAnswer(response, path, cause);
    throw new ClientSideError(codeFromHttp(status), `HTTP ${status} from ${path}`, {}, { cause });
  }
  if (status === 200) return json;
  const { error } = (json ?? {}) as { readonly error?: unknown };
  throw error === undefined
    ? new ClientSideError(codeFromHttp(status), `HTTP ${status} from ${path}`)
    : callErrorOf(error, status);
}

/** Sends requests with the options of a call. */
function post({ http, path }: Endpoint, { stringify, parse }: Json, options: CallOptions | undefined): PostRpc {
  return async (requests) => {
    const response = await http.send({
      method: "POST",
      path,
      headers: requestHeaders(headers, options),
      body: stringify(requests as JsonValue),
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportMetadata(options, response);
    return jsonOf(response, path, parse);
  };
}

/** An operation, compiled once. */
interface Route {
  readonly method: string;
  readonly write: WriteParams;
  readonly read: (result: JsonValue) => Message;
  readonly fields: FieldPaths;
}

function routeOf(contract: Contract, operation: Operation): Route {
  const { input, output } = operation;
  return {
    method: methodName(operation),
    write: paramsWriter(contract, operation),
    // Ignores unknown fields, because the server may be newer than the caller.
    read: messageFromJson(output, { registry: contract.registry, ignoreUnknownFields: true }),
    fields: fieldPaths(input, ({ jsonName }) => jsonName),
  };
}

/** The message of a response. Throws the CallError in it, or UNKNOWN if the result does not match the contract. */
function messageIn({ method, read, fields }: Route, { result, error }: RpcResponse): Message {
  if (error !== undefined && error !== null) throw fields.restored(callErrorOf(error));
  try {
    return read(result as JsonValue);
  } catch (cause) {
    throw new ClientSideError("UNKNOWN", `the result of ${method} is not of the contract`, {}, { cause });
  }
}

/** The params of a request. Throws INVALID_ARGUMENT for values that JSON cannot express. */
function paramsOf({ write }: Route, request: Message): ReturnType<WriteParams> {
  try {
    return write(request);
  } catch (cause) {
    throw new CallError("INVALID_ARGUMENT", `the request has no JSON: ${(cause as Error).message}`, {}, { cause });
  }
}

function unaryInvoke(endpoint: Endpoint, contract: Contract, operation: Operation): Invoke {
  const route = routeOf(contract, operation);
  const { method } = route;
  const json = { stringify: jsonWriter(operation.input), parse: jsonReader(operation.output) };
  return async (request, options) => {
    const call = { method, params: paramsOf(route, request) };
    return messageIn(route, await endpoint.caller.request(call, post(endpoint, json, options)));
  };
}

function togetherInvoke(endpoint: Endpoint, contract: Contract, operations: readonly Operation[]): InvokeTogether {
  const routes = operations.map((operation) => routeOf(contract, operation));
  const writers = operations.map(({ input }) => jsonWriter(input));
  const json: Json = {
    // Each request by the writer of its operation: only some keep −0.
    stringify: (requests) =>
      `[${(requests as readonly JsonValue[]).map((request, index) => (writers[index] as StringifyJson)(request)).join(",")}]`,
    parse: jsonReader(...operations.map(({ output }) => output)),
  };
  return async (requests, options) => {
    if (requests.length !== routes.length) {
      throw new CallError("INVALID_ARGUMENT", `${routes.length} requests expected, ${requests.length} given`);
    }
    if (routes.length === 0) return [];
    const calls = routes.map((route, index) => ({
      method: route.method,
      params: paramsOf(route, requests[index] as Message),
    }));
    const responses = await endpoint.caller.requestTogether(calls, post(endpoint, json, options));
    return routes.map((route, index) => messageIn(route, responses[index] as RpcResponse));
  };
}

/** Creates a client on these connections, and closes them with it. @param caller makes requests and finds their responses. */
export function jsonRpcClient(
  http: HttpTransport,
  contract: Contract,
  { url }: ClientHalfOptions,
  caller: RpcCaller = directCaller(),
): Client {
  const { pathname, search } = new URL(url);
  const endpoint: Endpoint = { http, path: `${pathname === "/" ? rpcPath : pathname}${search}`, caller };
  return {
    contract,
    prepare: (operation) => refusedStream(operation, limitations) ?? unaryInvoke(endpoint, contract, operation),
    prepareStream: (operation) => noStreams(operation, limitations),
    prepareTogether(operations) {
      const stream = operations.find(({ kind }) => kind !== "unary");
      if (stream !== undefined) throw new CallError("UNIMPLEMENTED", `JSON-RPC cannot carry ${stream.id}: it streams`);
      return togetherInvoke(endpoint, contract, operations);
    },
    close: () => http.close(),
  };
}
