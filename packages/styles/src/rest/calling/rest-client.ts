// A REST client of a contract, over any HTTP library.
import { CallError, type Client, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { jsonMediaType } from "../../shared/http/json-body.ts";
import { limitations } from "../limitations.ts";
import { prepareStream } from "../streams/invoke-stream.ts";
import { requestHeaders } from "../../shared/http/call-headers.ts";
import { reportGatewayMetadata } from "./report-metadata.ts";
import { clientRoute } from "./client-route.ts";

function prepare(http: HttpTransport, contract: Contract, operation: Operation): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { method, accept, write, read } = clientRoute(contract, operation);
  const withoutBody = { accept };
  const withJson = { accept, "content-type": jsonMediaType };
  return async (request, options) => {
    const { url, body, type } = write(request);
    const typed =
      type === jsonMediaType ? withJson : type === undefined ? withoutBody : { accept, "content-type": type };
    const response = await http.send({
      method,
      path: url,
      headers: requestHeaders(typed, options),
      body,
      timeoutMs: options?.timeoutMs,
      signal: options?.signal,
    });
    reportGatewayMetadata(options, response);
    return read(response);
  };
}

/** A client of the contract on these connections. Closing it closes them. */
export function restClient(
  http: HttpTransport,
  contract: Contract,
  { maxMessageBytes }: { readonly maxMessageBytes: number },
): Client {
  return {
    contract,
    prepare: (operation) => prepare(http, contract, operation),
    prepareStream: (operation) => prepareStream(http, contract, operation, maxMessageBytes),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => http.close(),
  };
}
