// How a finding is known, as a mark and a word: no reader depends on colours.
import type { Finding } from "@roundtrip/analysis";

export interface Strength {
  readonly mark: string;
  readonly word: string;
}

/** `=` means no difference; `≈` does not: it marks a measured value. */
export const strengths: Readonly<Record<Finding["strength"], Strength>> = {
  clear: { mark: "●", word: "clear" },
  likely: { mark: "◐", word: "likely" },
  none: { mark: "=", word: "no difference" },
  inconclusive: { mark: "?", word: "inconclusive" },
  measured: { mark: "≈", word: "measured" },
  fact: { mark: "#", word: "counted" },
};
