// Values that Connect cannot carry: none in the default encoding, which is protobuf's own.
import type { KnownLimits } from "../basics/known-limits.ts";

export const knownLimits: KnownLimits = { calls: [], spellings: [] };
