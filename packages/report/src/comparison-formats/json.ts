// A comparison for programs: the keys are those of the type `VersionComparison`, in the order in which they are declared there.
import type { ComparisonFormat } from "../registry/format.ts";

/** Goes up when a key changes its meaning or goes away; keys may be added. */
const schemaVersion = 1;

export const format: ComparisonFormat = {
  name: "json",
  fileName: "comparison.json",
  render: ({ comparison }) => `${JSON.stringify({ schemaVersion, ...comparison }, null, 2)}\n`,
};
