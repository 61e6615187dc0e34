// Paths and limits of a JSON-RPC server.

/** The path of calls. */
export const rpcPath = "/rpc";

/** The path of the OpenRPC document. */
export const openRpcPath = "/openrpc.json";

/** Maximum number of calls in one batch. */
export const maxCallsInBatch = 100;
