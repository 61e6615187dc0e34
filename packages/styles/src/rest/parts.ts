// Parts of REST for servers with another composition, and for tests of its bodies.
export { badField } from "../shared/proto-json/bad-request.ts";
export { problemOf, problemType } from "./errors.ts";
export { HttpError } from "../shared/http/http-error.ts";
export { Router } from "./routing/router.ts";
export { answersNothing } from "./answers/response-codec.ts";
export { answerHttpBody, requestHttpBody } from "./http-body.ts";
export { textReader } from "./requests/request-reader.ts";
