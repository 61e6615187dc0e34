// REST, as its server bindings use it.
export { writeProblem } from "./errors.ts";
export { restService } from "./serving/rest-service.ts";
