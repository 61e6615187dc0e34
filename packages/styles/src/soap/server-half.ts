// SOAP for its server bindings.
export { writeFault } from "./errors.ts";
export { soapPath } from "./schema/names.ts";
export { soapService } from "./serving/soap-service.ts";
