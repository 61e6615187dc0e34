// A Connect client of a contract, written from the specification, over any HTTP library.
import {
  CallError,
  ClientSideError,
  type CallOptions,
  type Client,
  type Contract,
  type Invoke,
  type Operation,
} from "@roundtrip/contract";
import type { HttpTransport } from "../../shared/http/http-transport.ts";
import { unsupportedFeature } from "../../shared/unsupported-feature.ts";
import { clientCodec } from "../codec.ts";
import { errorOf } from "../errors.ts";
import { limitations } from "../limitations.ts";
import { pathOf, unaryType } from "../wire-form.ts";
import { reportMetadata, requestHeaders } from "./call-headers.ts";
import { allowsGet, queryOf } from "./get-request.ts";
import type { ConnectClientOptions } from "./options.ts";
import { prepareStream } from "./stream-invoke.ts";

const noCallOptions: CallOptions = {};

function prepare(http: HttpTransport, contract: Contract, operation: Operation, options: ConnectClientOptions): Invoke {
  if (operation.kind !== "unary") {
    return () => Promise.reject(new CallError("UNIMPLEMENTED", `${operation.id} streams, and is called as a stream`));
  }
  const { encoding } = options;
  const { write, read } = clientCodec(contract, operation, encoding);
  const path = pathOf(operation);
  const own = { "content-type": unaryType(encoding) };
  const isGet = options.get && allowsGet(operation.method);
  return async (request, callOptions = noCallOptions) => {
    const { timeoutMs, signal } = callOptions;
    const body = write(request);
    const response = await http.send({
      method: isGet ? "GET" : "POST",
      path: isGet ? `${path}?${queryOf(body, encoding)}` : path,
      headers: requestHeaders(isGet ? {} : own, callOptions),
      body: isGet ? undefined : body,
      timeoutMs,
      signal,
    });
    reportMetadata(callOptions, response);
    if (response.status !== 200) throw errorOf(response);
    const type = String(response.headers["content-type"]);
    if (!type.startsWith(unaryType(encoding))) throw new ClientSideError("UNKNOWN", `the answer is ${type}`);
    return read(response.body);
  };
}

/** A client of the contract on these connections. Closing it closes them. */
export function connectClient(http: HttpTransport, contract: Contract, options: ConnectClientOptions): Client {
  return {
    contract,
    prepare: (operation) => prepare(http, contract, operation, options),
    prepareStream: (operation) => prepareStream(http, contract, operation, options),
    prepareTogether: () => {
      throw unsupportedFeature(limitations, "together");
    },
    close: () => http.close(),
  };
}
