// Makes requests and finds their responses: the part of a client that libraries replace.
import type { JsonObject } from "@bufbuild/protobuf";
import { ClientSideError, isObject } from "@roundtrip/contract";
import { callErrorOf } from "../errors.ts";
import type { RpcResponse } from "../messages.ts";

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
