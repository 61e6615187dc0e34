// Claims as text: the mark and the word of each claim's strength, then its sentence.
import type { ClaimSentence } from "../words/claim-sentences.ts";
import { strengths } from "../words/strength.ts";
import { hanging, pad, printable } from "./fit.ts";
import type { Inks } from "./ink.ts";

const wordWidth = Math.max(...Object.values(strengths).map(({ word }) => word.length));
const sentenceIndent = wordWidth + 4;

export function claimLines(
  { strength, text }: Pick<ClaimSentence, "strength" | "text">,
  columns: number,
  ink: Inks,
): readonly string[] {
  const { mark, word } = strengths[strength];
  const tint = strength === "clear" ? ink.good : strength === "open" ? ink.careful : ink.quiet;
  const lead = `${mark} ${pad(word, wordWidth, "start")}  `;
  const [first = "", ...rest] = hanging(lead, printable(text), columns);
  return [tint(first.slice(0, sentenceIndent)) + first.slice(sentenceIndent), ...rest];
}
