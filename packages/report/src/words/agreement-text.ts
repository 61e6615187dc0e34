// The result of comparing answers before timing, as text.
import { counted, isImported, type RunFacts } from "@roundtrip/analysis";

type Verified = Pick<RunFacts, "verification" | "warnings">;

const notCompared = "answers were not compared here: the calls were made elsewhere";

function agreement({ agreed, responsesCompared }: RunFacts["verification"]): string {
  if (!agreed) return "they did NOT agree";
  return responsesCompared > 0 ? "all agreed" : "the run ended before";
}

/** `312 responses compared before timing: all agreed`. */
export function agreementText(facts: Verified): string {
  const { verification } = facts;
  if (isImported(facts)) return notCompared;
  return `${counted(verification.responsesCompared, "response")} compared before timing: ${agreement(verification)}`;
}

export function agreementInGroups(facts: Verified): string {
  const { verification } = facts;
  if (isImported(facts)) return notCompared;
  const { responsesCompared, answerGroups } = verification;
  return `${counted(responsesCompared, "response")} in ${counted(answerGroups, "group")} compared before timing: ${agreement(verification)}`;
}
