// Parts of REST for servers that are built in another way, and for tests that check its bodies.
export { badField } from "./requests/bad-request.ts";
export { problemOf, problemType } from "./errors.ts";
export { HttpError } from "../shared/http/http-error.ts";
export { Router } from "./routing/router.ts";
