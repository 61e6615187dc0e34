// Connect for its server bindings.

export { errorJson, writeError } from "./errors.ts";
export { endStreamFlag, enveloped, lateRequest } from "./wire.ts";
