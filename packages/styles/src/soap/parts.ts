// Parts of SOAP for servers with another composition.
export { faultText, writeFault } from "./errors.ts";
export { soap11 } from "./envelope/soap-version.ts";
export { fieldsOf, particlesOf } from "./schema/field-order.ts";
