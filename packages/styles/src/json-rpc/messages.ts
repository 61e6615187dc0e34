// JSON-RPC on the wire: paths, names of methods, requests, responses, and params.
import { create, type JsonObject, type JsonValue, type Message } from "@bufbuild/protobuf";
import { CallError, type Contract, isObject, isOneJsonValue, type Operation } from "@roundtrip/contract";
import type { RpcErrorJson } from "./errors.ts";
import { noSuchField, badField, badJson } from "../shared/proto-json/json-errors.ts";
import { messageFromJson } from "../shared/proto-json/message-from-json.ts";
import { messageToJson } from "../shared/proto-json/message-to-json.ts";

export const rpcPath = "/rpc";

export const openRpcPath = "/openrpc.json";

export const maxCallsInBatch = 100;

// The names of methods: dotted, as users of JSON-RPC write them (`Page.navigate`, `Arith.Multiply`), with the package, so that they are unique.

/** The service discovery method of OpenRPC. */
export const discoverMethod = "rpc.discover";

/** JSON-RPC reserves names that begin like this for extensions of itself (section 4). */
const reserved = "rpc.";

/** `package.Service.Method`. In a package named `rpc` it begins with a full stop, as protobuf writes absolute names. */
export function methodName({ id }: Operation): string {
  return id.startsWith(reserved) ? `.${id}` : id;
}

// JSON-RPC 2.0 requests and responses: https://www.jsonrpc.org/specification

/** The id of a call. A number that a double would change is a symbol of its text, so that the response has exactly the same. */
export type RpcId = string | number | null | symbol;

/** A call; without an id it is a notification, which has no response. */
export interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonValue;
  readonly id?: RpcId;
}

export interface RpcResponse {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  /** Exactly one of the two is present. */
  readonly result?: JsonValue | undefined;
  readonly error?: RpcErrorJson | undefined;
}

/** Maximum length of an id, which the response repeats. */
export const maxIdCharacters = 1_000;

function isId(id: unknown): boolean {
  if (typeof id === "string") return id.length <= maxIdCharacters;
  if (typeof id === "symbol") return (id.description as string).length <= maxIdCharacters;
  return id === null || id === undefined || typeof id === "number";
}

function isStructured(params: unknown): boolean {
  return params === undefined || (typeof params === "object" && params !== null);
}

/** Narrows parsed JSON to a request; undefined for anything else, a response included. */
export function requestIn(json: unknown): RpcRequest | undefined {
  if (!isObject(json)) return undefined;
  const { jsonrpc, method, id, params, result, error } = json as Readonly<Record<string, unknown>>;
  const isRequest = jsonrpc === "2.0" && typeof method === "string" && result === undefined && error === undefined;
  return isRequest && isId(id) && isStructured(params) ? (json as unknown as RpcRequest) : undefined;
}

// Params by name: the fields of a request message in ProtoJSON.

/** The name of the only parameter if a message is not an object in JSON; google.protobuf.Any has the same name for it. */
export const onlyParam = "value";

/** Throws an Error for values that JSON cannot express. */
export type WriteParams = (request: Message) => JsonObject;

export function paramsWriter({ registry }: Contract, { input }: Operation): WriteParams {
  const write = messageToJson(input, { registry });
  if (isOneJsonValue(input)) return (request) => ({ [onlyParam]: write(request) });
  return (request) => write(request) as JsonObject;
}

/** Reads params; undefined is an empty message. Throws INVALID_ARGUMENT that names the field. */
export type ReadParams = (params: JsonValue | undefined) => Message;

export function paramsReader({ registry }: Contract, { input }: Operation): ReadParams {
  const readMessage = messageFromJson(input, { registry });
  const read = (json: JsonValue): Message => {
    try {
      return readMessage(json);
    } catch (thrown) {
      throw badJson(thrown);
    }
  };
  const isAlone = isOneJsonValue(input);
  return (params) => {
    if (params === undefined) return create(input);
    if (!isObject(params)) throw new CallError("INVALID_ARGUMENT", "params must be an object: parameters have names");
    if (!isAlone) return read(params);
    const unknown = Object.keys(params).find((name) => name !== onlyParam);
    if (unknown !== undefined) throw badField(unknown, noSuchField);
    const value = params[onlyParam];
    return value === undefined ? create(input) : read(value);
  };
}
