// The gravest verdict of a check on one style.
import { changeVerdicts, type ChangeVerdict, type CheckedChange } from "@roundtrip/changes";

export function worstOn(rows: readonly CheckedChange[], style: string): ChangeVerdict {
  const found = rows.map(({ styles }) => styles[style]?.verdict ?? "safe");
  return changeVerdicts.findLast((verdict) => found.includes(verdict)) ?? "safe";
}
