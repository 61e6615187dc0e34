// Serves a contract as JSON-RPC 2.0 with the package json-rpc-2.0: methods, responses and errors. Batches are taken apart before, because the package
// answers a batch of one call without an array.
import { errorResponse, type SharedCalls } from "@roundtrip/styles/json-rpc/server";
import { type JSONRPCErrorResponse, type JSONRPCRequest, type JSONRPCResponse, JSONRPCServer } from "json-rpc-2.0";
import { jsonRpcBy } from "../serve-json-rpc.ts";

type Answered = ReturnType<Parameters<typeof jsonRpcBy>[0]> extends (...args: never[]) => infer Answer ? Answer : never;

/** The calls of a request, until its method has been called. */
interface CallContext {
  calls: SharedCalls | undefined;
}

function failed(id: JSONRPCResponse["id"], thrown: unknown): JSONRPCErrorResponse {
  return errorResponse(id, thrown) as JSONRPCErrorResponse;
}

export const serve = jsonRpcBy((methods, missing) => {
  // Without a listener the package prints each error.
  const server = new JSONRPCServer<CallContext>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = failed;
  server.handleMethodNotFound = async ({ id, method }) => (id === undefined ? null : failed(id, await missing(method)));
  for (const [name, { call }] of methods) {
    server.addMethod(name, (params, context) => {
      const calls = context.calls as SharedCalls;
      // The package's promises outlive collections of young objects, and would keep the whole request: a third more CPU for each call.
      context.calls = undefined;
      return call(params, calls);
    });
  }
  return (request, calls) => server.receive(request as JSONRPCRequest, { calls }) as Answered;
});
