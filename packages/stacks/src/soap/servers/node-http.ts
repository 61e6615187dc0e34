// Serves a contract as SOAP 1.1 and 1.2 on node:http, without a library. The address includes the path of the endpoint.
import { soapPath, soapService, writeFault } from "@roundtrip/styles/soap/server";
import { serveBy } from "../../shared/node-server/serve-service.ts";

export const serve = serveBy({ path: soapPath, writeFault }, (service, options) => ({
  http: soapService(service, options),
}));
