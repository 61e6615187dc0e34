// The JSON-RPC client of the package json-rpc-2.0: ids, requests, and finding responses. The package has no transport; this one is undici.
import {
  checkedResponses,
  idMaker,
  jsonRpcClient,
  type PostRpc,
  type RpcCaller,
  type RpcResponse,
} from "@roundtrip/styles/json-rpc/client";
import { JSONRPCClient, JSONRPCErrorException, type JSONRPCRequest, type JSONRPCResponse } from "json-rpc-2.0";
import { CallError } from "@roundtrip/contract";
import { connectOver } from "../../shared/calls.ts";
import { undiciTransport } from "../../shared/undici/undici-transport.ts";

/** One exchange. The package keeps only the message of an error in sending, so that the error itself is here. */
interface Exchange {
  readonly post: PostRpc;
  failure: CallError | undefined;
}

/** Sends a payload, and passes its responses to the client. A response that is missing fails the exchange: the package would wait without end. */
async function send(
  client: JSONRPCClient<Exchange>,
  payload: JSONRPCRequest | JSONRPCRequest[],
  exchange: Exchange,
): Promise<void> {
  try {
    const ids = [payload].flat().map(({ id }) => id);
    client.receive([...checkedResponses(ids, await exchange.post(payload))] as JSONRPCResponse[]);
  } catch (thrown) {
    exchange.failure = CallError.from(thrown);
    throw thrown;
  }
}

function libraryCaller(): RpcCaller {
  const nextId = idMaker();
  const client: JSONRPCClient<Exchange> = new JSONRPCClient(
    (payload: JSONRPCRequest, exchange: Exchange) => send(client, payload, exchange),
    nextId,
  );
  return {
    async request({ method, params }, post) {
      const exchange: Exchange = { post, failure: undefined };
      try {
        return { jsonrpc: "2.0", id: null, result: await client.request(method, params, exchange) };
      } catch (thrown) {
        if (exchange.failure !== undefined) throw exchange.failure;
        if (!(thrown instanceof JSONRPCErrorException)) throw thrown;
        return { jsonrpc: "2.0", id: null, error: thrown.toObject() as NonNullable<RpcResponse["error"]> };
      }
    },
    async requestTogether(calls, post) {
      const exchange: Exchange = { post, failure: undefined };
      const requests = calls.map(({ method, params }): JSONRPCRequest => ({
        jsonrpc: "2.0",
        id: nextId(),
        method,
        params,
      }));
      const responses = await client.requestAdvanced(requests, exchange);
      if (exchange.failure !== undefined) throw exchange.failure;
      return responses as readonly RpcResponse[];
    },
  };
}

export const connect = connectOver(
  (http, contract, options) => jsonRpcClient(http, contract, options, libraryCaller()),
  undiciTransport,
);
