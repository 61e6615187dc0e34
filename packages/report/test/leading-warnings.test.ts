// Which warnings a reader of one screen sees first.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bySeverity, leadingWarnings } from "../src/words/run-text.ts";

/** Warnings that change no conclusion, or that say what the reader has asked for: they come after the ranked ones, in the order of the run. */
const unranked = new Set([
  "anomaly",
  "compared-apart",
  "connections-differ",
  "counts-vary",
  "different-jobs",
  "drift",
  "failed-calls",
  "foreign-samples",
  "k6-apart",
  "imported",
  "late-tail",
  "left-out",
  "mixed-places",
  "mostly-waits",
  "no-figures",
  "no-floor",
  "no-samples",
  "not-restarted",
  "results-cut",
  "round-trips-differ",
  "rounds-resemble",
  "unpaired-blocks",
  "unsettled",
  "warm-up-hidden",
]);

/** The codes of warnings that a file makes, which are literals in a value or a constant. */
function codesOf(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  if (!/\bWarning\b/.test(text)) return [];
  return [...text.matchAll(/\bcode(?::| =) "([a-z0-9-]+)"/g)].map(([, code = ""]) => code);
}

describe("leading warnings", () => {
  it("have a rank for each code, or none on purpose", () => {
    const files = globSync(join(import.meta.dirname, "../../analysis/src/**/*.ts"));
    const codes = new Set(files.flatMap(codesOf));
    expect(codes.size).toBeGreaterThan(30);
    const unknown = [...codes].filter((code) => !bySeverity.includes(code) && !unranked.has(code));
    expect(unknown).toEqual([]);
  });

  it("begin with processes that died, before a busy machine and everything without a rank", () => {
    const warnings = ["left-out", "busy", "stood-still", "server-died", "few-slow-calls"].map((code) => ({
      code,
      message: code,
    }));
    expect(leadingWarnings({ arms: [], unsettled: [], warnings })).toEqual([
      "server-died",
      "stood-still",
      "busy",
      "few-slow-calls",
      "left-out",
    ]);
  });
});
