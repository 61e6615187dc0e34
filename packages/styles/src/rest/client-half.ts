// REST for its client bindings.
export { restClient } from "./calling/rest-client.ts";
