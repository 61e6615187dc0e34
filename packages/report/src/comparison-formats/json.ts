// A comparison for programs: its first sentence, and the keys of the type `VersionComparison` in declaration order.
import type { ComparisonFormat } from "../registry/format.ts";
import { verdictOf } from "../comparisons/verdict-words.ts";

/** Increased when a key changes its meaning or is removed; keys may be added. */
const schemaVersion = 1;

export const format: ComparisonFormat = {
  name: "json",
  fileName: "comparison.json",
  render: ({ comparison }) =>
    `${JSON.stringify({ schemaVersion, headline: verdictOf(comparison).headline, ...comparison }, null, 2)}\n`,
};
