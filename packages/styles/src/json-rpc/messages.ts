// JSON-RPC 2.0 requests and responses: https://www.jsonrpc.org/specification
import type { JsonValue } from "@bufbuild/protobuf";
import { isObject } from "@roundtrip/contract";
import type { RpcErrorJson } from "./errors.ts";

/** The id of a call. A number that a double would change is a bigint or a symbol of its text, so that the response has exactly the same. */
export type RpcId = string | number | null | bigint | symbol;

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

function isId(id: unknown): boolean {
  return id === null || id === undefined || ["string", "number", "bigint", "symbol"].includes(typeof id);
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

// Part of ES2026 and of Node.js, like the source text of numbers.
const rawJson = (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON;

/** The id as JSON.stringify writes it back exactly. */
export function writtenId(id: RpcId): unknown {
  if (typeof id === "bigint") return rawJson(String(id));
  return typeof id === "symbol" ? rawJson(id.description ?? "null") : id;
}
