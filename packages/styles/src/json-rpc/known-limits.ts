// Values that JSON cannot carry; JSON-RPC adds no limit of its own.
import type { KnownLimits } from "../basics/known-limits.ts";
import { notFiniteInAnyJson } from "../shared/values-in.ts";

export const knownLimits: KnownLimits = { calls: [notFiniteInAnyJson], spellings: [] };
