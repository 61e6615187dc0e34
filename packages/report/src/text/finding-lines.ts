// Findings as text: the mark and the word of each finding's strength, then its sentence.
import type { Finding } from "@roundtrip/analysis";
import { strengths } from "../words/strength.ts";
import { hanging, pad, printable } from "./fit.ts";
import type { Inks } from "./ink.ts";

const wordWidth = Math.max(...Object.values(strengths).map(({ word }) => word.length));

/** Indentation of sentences, in columns. */
export const sentenceIndent = wordWidth + 4;

export function findingLines({ strength, sentence }: Finding, columns: number, ink: Inks): readonly string[] {
  const { mark, word } = strengths[strength];
  const tint = strength === "clear" ? ink.good : strength === "inconclusive" ? ink.careful : ink.quiet;
  const lead = `${mark} ${pad(word, wordWidth, "start")}  `;
  const [first = "", ...rest] = hanging(lead, printable(sentence), columns);
  return [tint(first.slice(0, sentenceIndent)) + first.slice(sentenceIndent), ...rest];
}
