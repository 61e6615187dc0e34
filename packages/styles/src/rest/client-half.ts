// The parts of REST that client bindings use.
export { restClient } from "./calling/rest-client.ts";
