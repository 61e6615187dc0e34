// Calls a contract over JSON-RPC 2.0 with any library.
import type { JsonObject, JsonValue, Message } from "@bufbuild/protobuf";
import {
  CallError,
  type CallOptions,
  type Client,
  ClientSideError,
  codeFromHttp,
  type Contract,
  fieldPaths,
  type FieldPaths,
  type Invoke,
  type InvokeTogether,
  isObject,
  type Operation,
} from "@roundtrip/contract";
import { callErrorOf } from "./errors.ts";
import { limitations } from "./index.ts";
import { methodName, paramsWriter, rpcPath, type RpcResponse, type WriteParams } from "./messages.ts";
import {
  foreignAnswer,
  reportMetadata,
  requestHeaders,
  type HttpResponse,
  type StyleClientOptions,
  type HttpTransport,
} from "../shared/http/client.ts";
import { jsonMediaType } from "../shared/call-headers.ts";
import { jsonReader, type ParseJson } from "../shared/proto-json/scalars.ts";
import { messageFromJson } from "../shared/proto-json/message-from-json.ts";
import { noStreams, refusedStream } from "../shared/limitations.ts";
export { type RpcResponse } from "./messages.ts";

// Makes requests and finds their responses: the part of a client that libraries replace.

export interface RpcCall {
  readonly method: string;
  readonly params: JsonObject;
}

/** Sends requests in one HTTP request, and resolves to the JSON of the answer. Rejects with a CallError. */
export type PostRpc = (requests: object) => Promise<unknown>;

export interface RpcCaller {
  /** Resolves to the response of a call. Rejects with a CallError if there is none. */
  request(call: RpcCall, post: PostRpc): Promise<RpcResponse>;
  /** Sends a batch, and resolves to the responses in the order of the calls. */
  requestTogether(calls: readonly RpcCall[], post: PostRpc): Promise<readonly RpcResponse[]>;
}

function foreign(why: string): ClientSideError {
  return new ClientSideError("UNKNOWN", `the answer is not a JSON-RPC 2.0 response: ${why}`);
}

/** Checks a response object, which is not trusted. Throws the error of a response without an id: the server could not read the request. */
function checkedResponse(json: unknown): RpcResponse {
  if (!isObject(json)) throw foreign("not an object");
  const { id, error } = json as Readonly<Record<string, unknown>>;
  const hasError = error !== undefined && error !== null;
  if (!hasError && !Object.hasOwn(json, "result")) throw foreign("neither a result nor an error");
  if ((id === null || id === undefined) && hasError) throw callErrorOf(error);
  return json as unknown as RpcResponse;
}

/** The responses with these ids, in their order. Throws a CallError unless there is one for each. @param json an object, or an array of objects */
export function checkedResponses(ids: readonly unknown[], json: unknown): readonly RpcResponse[] {
  const responses = (Array.isArray(json) ? (json as readonly unknown[]) : [json]).map(checkedResponse);
  const byId = new Map(responses.map((response) => [response.id as unknown, response]));
  return ids.map((id) => {
    const response = byId.get(id);
    if (response === undefined) throw foreign(`none has the id ${String(id)}`);
    return response;
  });
}

const firstId = 1_000_000;
const lastId = 9_999_999;

/** Makes the ids of a client. All have as many digits, so that the size of a call does not depend on those before it. */
export function idMaker(): () => number {
  let last = firstId - 1;
  return () => (last = last === lastId ? firstId : last + 1);
}

/** Calls without a library. */
export function directCaller(): RpcCaller {
  const nextId = idMaker();
  const requestOf = ({ method, params }: RpcCall) => ({ jsonrpc: "2.0", id: nextId(), method, params }) as const;
  return {
    async request(call, post) {
      const request = requestOf(call);
      const [response] = checkedResponses([request.id], await post(request));
      return response as RpcResponse;
    },
    async requestTogether(calls, post) {
      const requests = calls.map(requestOf);
      return checkedResponses(
        requests.map(({ id }) => id),
        await post(requests),
      );
    },
  };
}

const headers = { accept: jsonMediaType, "content-type": jsonMediaType } as const;
const utf8 = new TextDecoder("utf-8", { fatal: true });

interface Endpoint {
  readonly http: HttpTransport;
  readonly path: string;
  readonly caller: RpcCaller;
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

function postRequests({ http, path }: Endpoint, parse: ParseJson, options: CallOptions | undefined): PostRpc {
  return async (requests) => {
    const response = await http.send({
      method: "POST",
      path,
      headers: requestHeaders(headers, options),
      body: JSON.stringify(requests),
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
  const parse = jsonReader(operation.output);
  return async (request, options) => {
    const call = { method, params: paramsOf(route, request) };
    return messageIn(route, await endpoint.caller.request(call, postRequests(endpoint, parse, options)));
  };
}

function togetherInvoke(endpoint: Endpoint, contract: Contract, operations: readonly Operation[]): InvokeTogether {
  const routes = operations.map((operation) => routeOf(contract, operation));
  const parse = jsonReader(...operations.map(({ output }) => output));
  return async (requests, options) => {
    if (requests.length !== routes.length) {
      throw new CallError("INVALID_ARGUMENT", `${routes.length} requests expected, ${requests.length} given`);
    }
    if (routes.length === 0) return [];
    const calls = routes.map((route, index) => ({
      method: route.method,
      params: paramsOf(route, requests[index] as Message),
    }));
    const responses = await endpoint.caller.requestTogether(calls, postRequests(endpoint, parse, options));
    return routes.map((route, index) => messageIn(route, responses[index] as RpcResponse));
  };
}

/** Creates a client on these connections, and closes them with it. @param caller makes requests and finds their responses. */
export function jsonRpcClient(
  http: HttpTransport,
  contract: Contract,
  { url }: StyleClientOptions,
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
