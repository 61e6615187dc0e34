// The gravest of what a check says of a style.
import type { CheckedChange } from "../../../src/check/check-contracts.ts";
import { verdicts, type CheckStyle, type Verdict } from "../../../src/check/judgement.ts";

export function worstOn(rows: readonly CheckedChange[], style: CheckStyle): Verdict {
  const found = rows.map(({ styles }) => styles[style]?.verdict ?? "safe");
  return verdicts.findLast((verdict) => found.includes(verdict)) ?? "safe";
}
