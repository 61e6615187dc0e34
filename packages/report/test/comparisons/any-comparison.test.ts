// Whatever a comparison holds, every format can report it.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { comparisonFormatNames, loadComparisonFormat, renderComparisonPlots } from "@roundtrip/report";
import type { ComparedCell, VersionComparison } from "@roundtrip/analysis";
import { cellsOf, inputOf, passed, runs } from "../support/comparison.ts";

const usual = cellsOf();
const someText = fc.string({ unit: "grapheme", maxLength: 30 });
const someRatio = fc.double({ min: 0.001, max: 1_000, noNaN: true });
const someEnd = fc.option(someRatio, { nil: null });
const someShare = fc.option(fc.double({ min: 0, max: 50, noNaN: true }), { nil: null });

const someCell: fc.Arbitrary<ComparedCell> = fc
  .record({
    which: fc.nat(usual.length - 1),
    state: fc.constantFrom("worse", "not-worse", "better", "undecided"),
    ratio: someRatio,
    pseudoMedian: someRatio,
    low: someEnd,
    high: someEnd,
    atMost: someEnd,
    adjustedP: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    smallestDetectable: someShare,
    title: someText,
    task: someText,
    factors: fc.dictionary(fc.constantFrom("rateHz", "tls"), fc.oneof(fc.nat(), fc.boolean(), someText)),
  })
  .map(({ which, ...own }) => ({ ...(usual[which] as ComparedCell), ...own }));

const someComparison: fc.Arbitrary<VersionComparison> = fc
  .record({
    cells: fc.uniqueArray(someCell, { selector: ({ id }) => id, maxLength: 6 }),
    label: someText,
    reason: someText,
    doubts: fc.array(someText, { maxLength: 2 }),
    verdict: fc.constantFrom("pass", "fail", "inconclusive", "none"),
    onlyHead: fc.array(someText, { maxLength: 5 }),
    warnings: fc.array(fc.record({ code: someText, message: someText }), { maxLength: 3 }),
    environmentDifferences: fc.array(fc.record({ what: someText, base: someText, head: someText }), { maxLength: 2 }),
  })
  .map(({ label, verdict, reason, doubts, ...own }) => {
    const base = { label };
    return verdict === "none" ? { ...runs, ...own, base } : { ...passed, ...own, base, verdict, reason, doubts };
  });

const formats = await Promise.all(comparisonFormatNames().map(loadComparisonFormat));

describe("any comparison", () => {
  it("is reported in every format, without an invalid figure", () => {
    fc.assert(
      fc.property(someComparison, (comparison) => {
        const input = inputOf(comparison);
        for (const format of formats) {
          const text = format.render(input);
          const { name, fileName } = format;
          if (fileName.endsWith(".json")) JSON.parse(text);
          const typed = JSON.stringify(comparison);
          for (const word of ["NaN", "undefined", "Infinity", "[object"]) {
            expect([name, !text.includes(word) || typed.includes(word)]).toEqual([name, true]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it("has pictures that are whole", () => {
    fc.assert(
      fc.property(someComparison, (comparison) => {
        for (const { svg } of renderComparisonPlots(comparison)) expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 15 },
    );
  });
});
