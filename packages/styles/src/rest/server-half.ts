// The parts of REST that server bindings use.
export { writeProblem } from "./errors.ts";
export { restService } from "./serving/rest-service.ts";
