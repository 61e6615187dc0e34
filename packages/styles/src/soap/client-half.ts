// SOAP for its client bindings.
export { soapClientOf } from "./calling/soap-client.ts";
