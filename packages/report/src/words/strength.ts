// How sure a finding is, as a mark and a word: no reader depends on colours.
import type { Finding } from "@roundtrip/analysis";

export interface Strength {
  readonly mark: string;
  readonly word: string;
}

/** `=` follows the field's habit of a tilde or an equals sign for "no difference". */
export const strengths: Readonly<Record<Finding["strength"], Strength>> = {
  clear: { mark: "●", word: "clear" },
  likely: { mark: "◐", word: "likely" },
  none: { mark: "=", word: "no difference" },
  inconclusive: { mark: "?", word: "inconclusive" },
  measured: { mark: "≈", word: "measured" },
  fact: { mark: "#", word: "counted" },
};
