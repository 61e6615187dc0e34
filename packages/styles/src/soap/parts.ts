// Parts of SOAP for servers with another composition.
export { faultText, writeFault } from "./errors.ts";
export { soap11 } from "./envelope.ts";
export { fieldsOf, particlesOf } from "./schema/names.ts";
