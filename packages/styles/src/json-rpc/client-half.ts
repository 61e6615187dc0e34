// JSON-RPC for its client bindings.
export { jsonRpcClient } from "./calling/json-rpc-client.ts";
export { checkedResponses, idMaker, type PostRpc, type RpcCall, type RpcCaller } from "./calling/rpc-caller.ts";
export { type RpcResponse } from "./messages.ts";
