// Calls a contract served as REST.
import { CallError, type Contract, type Invoke, type Operation } from "@roundtrip/contract";
import { httpClient, type HttpClient } from "../http/http-client.ts";
import { cannot } from "../refused.ts";
import type { Connect } from "../stack.ts";
import { requestHeaders, tellMetadata } from "./calling/call-headers.ts";
import { calledPlace } from "./calling/called-place.ts";
import { prepareStream } from "./streams/invoke-stream.ts";
import { limitations } from "./limitations.ts";

const withoutBody = { accept: "application/json" } as const;
const withBody = { accept: "application/json", "content-type": "application/json" } as const;

function prepare(http: HttpClient, contract: Contract, operation: Operation): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { method, write, read } = calledPlace(contract, operation);
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
    tellMetadata(options, response);
    return read(response);
  };
}

/** Connects with the first call. */
export const connect: Connect = (contract, options) => {
  const http = httpClient(options);
  return Promise.resolve({
    contract,
    prepare: (operation) => prepare(http, contract, operation),
    prepareStream: (operation) => prepareStream(http, contract, operation, options.maxMessageBytes),
    prepareTogether: () => {
      throw cannot(limitations, "together");
    },
    close: () => http.close(),
  });
};
