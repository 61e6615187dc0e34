// The gravest verdict of a check on one style.
import { changeVerdicts, type ChangeVerdict } from "@roundtrip/styles";
import type { CheckedChange } from "../../../src/check/check-contracts.ts";

export function worstOn(rows: readonly CheckedChange[], style: string): ChangeVerdict {
  const found = rows.map(({ styles }) => styles[style]?.verdict ?? "safe");
  return changeVerdicts.findLast((verdict) => found.includes(verdict)) ?? "safe";
}
