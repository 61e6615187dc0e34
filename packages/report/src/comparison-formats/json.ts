// A comparison for programs: the keys of the type `VersionComparison`, in declaration order.
import type { ComparisonFormat } from "../registry/format.ts";

/** Increased when a key changes its meaning or is removed; keys may be added. */
const schemaVersion = 1;

export const format: ComparisonFormat = {
  name: "json",
  fileName: "comparison.json",
  render: ({ comparison }) => `${JSON.stringify({ schemaVersion, ...comparison }, null, 2)}\n`,
};
