// The floor for its client binding.
export { limitations } from "./limitations.ts";
