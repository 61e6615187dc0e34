// A REST client of a contract, over any HTTP library.
import { CallError, type Client, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { limitations } from "../limitations.ts";
import { prepareStream } from "../streams/invoke-stream.ts";
import { requestHeaders } from "../../shared/http/call-headers.ts";
import { reportGatewayMetadata } from "./report-metadata.ts";
import { clientRoute } from "./client-route.ts";

const withoutBody = { accept: "application/json" } as const;
const withBody = { accept: "application/json", "content-type": "application/json" } as const;

function prepare(http: HttpTransport, contract: Contract, operation: Operation): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { method, write, read } = clientRoute(contract, operation);
  return async (request, options) => {
    const { url, body } = write(request);
    const response = await http.send({
      method,
      path: url,
      headers: requestHeaders(body === undefined ? withoutBody : withBody, options),
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
