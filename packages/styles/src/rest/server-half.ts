// REST for its server bindings.
export { writeProblem } from "./errors.ts";
export { restService } from "./serving/rest-service.ts";
