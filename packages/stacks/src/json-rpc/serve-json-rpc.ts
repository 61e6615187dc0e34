// The common part of JSON-RPC servers.
import { jsonRpcService, rpcPath, writeRefusal } from "@roundtrip/styles/json-rpc/server";
import type { Serve } from "../basics/stack.ts";
import { serveBy } from "../shared/node-server/serve-service.ts";

/** Serves JSON-RPC 2.0 on node:http at `/rpc`. @param answerWith a library that answers requests. */
export function jsonRpcBy(answerWith: Parameters<typeof jsonRpcService>[1]): Serve {
  return serveBy({ path: rpcPath, writeFault: writeRefusal }, (service, options) => ({
    http: jsonRpcService(service, answerWith, options),
  }));
}
