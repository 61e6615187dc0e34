// The common part of JSON-RPC servers.
import {
  jsonRpcService,
  rpcPath,
  writeRefusal,
  type AnswerRequest,
  type RpcMethods,
} from "@roundtrip/styles/json-rpc/server";
import type { Service } from "@roundtrip/contract";
import type { RequestListener } from "node:http";
import { decodedBytes } from "../shared/node-server/request-body.ts";
import { serveHttp } from "../shared/node-server/http-server.ts";
import { nodeListener } from "../shared/node-server/http-listener.ts";
import type { Serve } from "../basics/stack.ts";

/** Serves JSON-RPC 2.0 on node:http at `/rpc`. The returned address includes this path. @param answerWith a library that answers requests. */
export function jsonRpcBy(answerWith: (methods: RpcMethods) => AnswerRequest): Serve {
  return async (service, options) => {
    const listenerOf = (served: Service): RequestListener => {
      const rpc = jsonRpcService(served, answerWith, options);
      return nodeListener(options.watch?.overHttp(rpc) ?? rpc, decodedBytes(options.maxMessageBytes), options);
    };
    const http = await serveHttp(listenerOf(service), options, writeRefusal);
    return {
      ...http,
      url: `${http.url}${rpcPath}`,
      // oxlint-disable-next-line require-await -- what cannot be served rejects
      replace: async (next) => http.replace(listenerOf(next)),
    };
  };
}
