// Connect for its server bindings.

export { errorJson, writeError } from "./errors.ts";
export { withShortFloats } from "./short-floats.ts";
export { unknownName } from "../shared/unknown-name.ts";
export { endStreamFlag, enveloped, exhaustedRequest, lateRequest } from "./wire.ts";
