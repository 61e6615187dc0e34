// Connect for its client bindings.
export { connectClient } from "./client/connect-client.ts";
export { limitations } from "./limitations.ts";
export { type Encoding } from "./wire-form.ts";
