// What a command line reads its flags with, before it is known what it is to do: `@roundtrip/runner/flag-values` loads nothing that measures.
export { linkNames } from "./link/link-kinds.ts";
export { constantRate } from "./pace/constant-rate.ts";
export type { Pacer } from "./pace/pacer.ts";
export { poisson } from "./pace/poisson.ts";
export { ramp } from "./pace/ramp.ts";
export { recorded } from "./pace/recorded.ts";
