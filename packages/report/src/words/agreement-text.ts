// What the comparison of answers before timing came to.
import type { RunFacts } from "@roundtrip/analysis";

/** Whether the calls were made elsewhere, and brought home: then nobody here knows what was done before them. */
export function isImported({ status, verification }: Pick<RunFacts, "status" | "verification">): boolean {
  return status === "complete" && verification.responsesCompared === 0;
}

/** `all agreed` and its like, behind how many were compared. */
export function agreementText(facts: Pick<RunFacts, "status" | "verification">): string {
  const { agreed, responsesCompared } = facts.verification;
  if (!agreed) return "they did NOT agree";
  if (isImported(facts)) return "the calls were made elsewhere";
  return responsesCompared > 0 ? "all agreed" : "the run ended before";
}
