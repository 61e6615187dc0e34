// The floor for its client binding.

export { limitations } from "./index.ts";
