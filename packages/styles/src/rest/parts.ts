// Parts of REST for servers with another composition, and for tests of its bodies.
export { badField } from "../shared/proto-json/json-errors.ts";
export { problemOf, problemType } from "./errors.ts";
export { HttpError } from "../shared/http/http-service.ts";
export { Router } from "./router.ts";
export { answersNothing } from "./response-codec.ts";
export { answerHttpBody, requestHttpBody } from "./raw-bodies.ts";
export { textReader } from "./requests/request-reader.ts";
