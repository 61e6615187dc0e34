// Cases that a stack of this project is known to fail, each with the reason. An entry whose case passes fails the suite.
import type { KnownDeviation } from "./run-conformance.ts";

/** All known deviations; none is good. */
export const knownDeviations: readonly KnownDeviation[] = [];
