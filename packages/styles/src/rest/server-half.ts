// REST for its server bindings.
export { dialectOf } from "./dialects/dialect-of.ts";
export { dialectSettings } from "./dialects/dialect-settings.ts";
export { restService } from "./serving/rest-service.ts";
