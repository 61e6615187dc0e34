// The rules of other tools, for who holds the gate against them: `@roundtrip/analysis/rules-of-others`.
export { benchstat } from "./gate/rules-of-others/benchstat.ts";
export { fixedRatio, fixedRatioAcrossJobs } from "./gate/rules-of-others/fixed-ratio.ts";
export type { ArmRound, OtherRule, StoredRounds } from "./gate/rules-of-others/stored-rounds.ts";
export { tachometer } from "./gate/rules-of-others/tachometer.ts";
export { welchOnRequests } from "./gate/rules-of-others/welch-on-requests.ts";
