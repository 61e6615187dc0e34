// Serves a contract as SOAP 1.1 and 1.2 on node:http, without a library. The address includes the path of the endpoint.
import { soapPath, soapService, writeFault } from "@roundtrip/styles/soap/server";
import type { Service } from "@roundtrip/contract";
import type { RequestListener } from "node:http";
import { decodedBytes } from "../../shared/node-server/request-body.ts";
import { serveHttp } from "../../shared/node-server/http-server.ts";
import { nodeListener } from "../../shared/node-server/http-listener.ts";
import type { Serve, ServeOptions } from "../../basics/stack.ts";

function listenerOf(service: Service, options: ServeOptions): RequestListener {
  const soap = soapService(service, options);
  return nodeListener(options.watch?.overHttp(soap) ?? soap, decodedBytes(options.maxMessageBytes), options);
}

export const serve: Serve = async (service, options) => {
  const http = await serveHttp(listenerOf(service, options), options, writeFault);
  return {
    ...http,
    url: `${http.url}${soapPath}`,
    // oxlint-disable-next-line require-await -- what cannot be served rejects
    replace: async (next) => http.replace(listenerOf(next, options)),
  };
};
