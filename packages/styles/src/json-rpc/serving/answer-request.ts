// Answers single requests: the part of a server that libraries replace.
import { CallError } from "@roundtrip/contract";
import { errorJson } from "../errors.ts";
import type { RpcRequest, RpcResponse } from "../messages.ts";
import type { RpcCalls } from "./rpc-calls.ts";
import { missingMethod, type RpcMethods } from "./rpc-methods.ts";

/** Returns or resolves to the response. For a notification it may be null or anything: it is not sent. Never throws or rejects. */
export type AnswerRequest = (
  request: RpcRequest,
  calls: RpcCalls,
) => RpcResponse | null | PromiseLike<RpcResponse | null>;

/** The response of a failed call. @param thrown anything that a method throws. */
export function errorResponse(id: RpcResponse["id"], thrown: unknown): RpcResponse {
  return { jsonrpc: "2.0", id, error: errorJson(CallError.from(thrown)) };
}

/** Answers without a library. */
export function answerDirectly(methods: RpcMethods): AnswerRequest {
  return ({ id = null, method, params }, calls) => {
    try {
      const found = methods.get(method);
      if (found === undefined) throw missingMethod(method);
      const result = found.call(params, calls);
      if (!(result instanceof Promise)) return { jsonrpc: "2.0", id, result };
      return result.then(
        (value) => ({ jsonrpc: "2.0", id, result: value }),
        (thrown: unknown) => errorResponse(id, thrown),
      );
    } catch (thrown) {
      return errorResponse(id, thrown);
    }
  };
}
