// Parts of the REST stack, for servers that are put together in another way.
export { badField } from "./bad-request.ts";
export { problemOf, problemType } from "./errors.ts";
export { HttpError } from "../http-error.ts";
export { Router } from "./router.ts";
