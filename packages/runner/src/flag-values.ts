// Parsers for command-line flags: `@roundtrip/runner/flag-values`. Loads nothing that measures.
export { linkNames } from "./link/link-kinds.ts";
export { constantRate } from "./pace/constant-rate.ts";
export type { Pacer } from "./pace/pacer.ts";
export { poisson } from "./pace/poisson.ts";
export { ramp } from "./pace/ramp.ts";
export { recorded } from "./pace/recorded.ts";
