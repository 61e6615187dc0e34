// Parts of the REST stack, for servers that are put together in another way, and for tests that need to know what its bodies are.
export { badField } from "./requests/bad-request.ts";
export { answerOctets, requestOctets } from "./streams/octets.ts";
export { problemOf, problemType } from "./errors.ts";
export { HttpError } from "../shared/http/http-error.ts";
export { Router } from "./routing/router.ts";
