// The JSON-RPC server that a specialist would write for hello and customers on the package json-rpc-2.0: two methods, plain objects, JSON.parse and
// JSON.stringify. It listens like the stack. Errors, which are not timed, use the code of the stack.
import { JSONRPCServer, type JSONRPCErrorResponse, type JSONRPCRequest } from "json-rpc-2.0";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { serveHttp } from "@roundtrip/stacks/parts";
import { errorResponse, missingMethod, rpcPath } from "@roundtrip/styles/json-rpc/server";
import type { ServeHandWritten } from "./hand-written.ts";
import { checkHeaders, getCustomer, sayHello } from "./rest-calls.ts";

interface GetCustomerParams {
  readonly id?: number;
  readonly readMask?: string;
}

function failed(id: string | number | null, thrown: unknown): JSONRPCErrorResponse {
  return errorResponse(id, thrown) as JSONRPCErrorResponse;
}

function newServer(): JSONRPCServer<IncomingHttpHeaders> {
  const server = new JSONRPCServer<IncomingHttpHeaders>({ errorListener: () => undefined });
  server.mapErrorToJSONRPCErrorResponse = failed;
  // oxlint-disable-next-line require-await -- the package's type
  server.handleMethodNotFound = async ({ id = null, method }) => failed(id, missingMethod(method));
  server.addMethod("roundtrip.v1.HelloService.SayHello", (params: Readonly<Record<string, unknown>>, headers) => {
    checkHeaders(headers);
    return sayHello(params);
  });
  server.addMethod("roundtrip.v1.CustomerService.GetCustomer", (params: GetCustomerParams, headers) => {
    checkHeaders(headers);
    const { id = 0, readMask } = params;
    return getCustomer(String(id), readMask === undefined ? {} : { readMask });
  });
  return server;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
    .end(text);
}

export const serve: ServeHandWritten = async (options) => {
  const server = newServer();
  const http = await serveHttp((request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > options.maxMessageBytes) request.destroy();
      else chunks.push(chunk);
    });
    request.on("end", () => {
      if (request.url !== rpcPath || request.method !== "POST") {
        answer(response, 404, failed(null, missingMethod("")));
        return;
      }
      let call: JSONRPCRequest;
      try {
        call = JSON.parse(
          (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString(),
        ) as JSONRPCRequest;
      } catch (thrown) {
        answer(response, 200, failed(null, thrown));
        return;
      }
      void server.receive(call, request.headers).then((reply) => answer(response, 200, reply));
    });
  }, options);
  return { ...http, url: `${http.url}${rpcPath}` };
};
