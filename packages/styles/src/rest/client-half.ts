// REST, as its client bindings use it.
export { restClient } from "./calling/rest-client.ts";
