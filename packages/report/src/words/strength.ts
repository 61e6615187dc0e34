// How a claim is known, as a mark and a word: no reader depends on colours.
import type { Strength } from "@roundtrip/analysis";

/** `=` means no difference; `≈` does not: it marks a measured value. */
export const strengths: Readonly<Record<Strength, { readonly mark: string; readonly word: string }>> = {
  clear: { mark: "●", word: "clear" },
  likely: { mark: "◐", word: "likely" },
  equal: { mark: "=", word: "equal" },
  open: { mark: "?", word: "cannot tell" },
  measured: { mark: "≈", word: "measured" },
};
