// gRPC for its client bindings.
export { detailsTrailer, errorInDetails } from "./errors.ts";
export { limitations } from "./view.ts";
export { pathOf } from "./wire-form.ts";
