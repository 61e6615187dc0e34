// SOAP for its server bindings.
export { writeFault } from "./errors.ts";
export { soapService } from "./serving/soap-service.ts";
