// Sentences about the number of attributes from which on the façade pays, and what one more costs.
import { idsFromName } from "../../src/run/stack-ids.ts";
import { describe, expect, it } from "vitest";
import { analyse } from "../../src/analyse/analyse.ts";
import { attributeCost, breakEvenCount } from "../../src/findings/break-even-count.ts";
import { evidenceOf, type Evidence } from "../../src/findings/evidence.ts";
import type { BreakEven } from "../../src/comparison/break-even.ts";
import { armFor, factsOf, samplesOf } from "../synthetic-run.ts";

const nothing = analyse(factsOf([], 0), samplesOf([]));
const arms = [1, 3, 6].map((attributes) => armFor({ stack: "rest", variant: "facade", factors: { attributes } }));

/** Lines of the façade and of chatty calls that cross at 2. */
function lines(title: string, change: Partial<BreakEven> = {}): BreakEven {
  return {
    study: "facade",
    task: "read",
    ...idsFromName(title),
    title,
    stackTitle: title,
    settings: {},
    factors: {},
    against: "chatty",
    attributes: 2,
    low: 1.8,
    high: 2.2,
    always: false,
    facadeMsPerAttribute: 0.01,
    facadeMsPerAttributeLow: 0.008,
    facadeMsPerAttributeHigh: 0.012,
    chattyMsPerAttribute: 0.2,
    chattyMsPerAttributeLow: 0.19,
    chattyMsPerAttributeHigh: 0.21,
    ...change,
  };
}

const noInterval = { low: null, high: null, facadeMsPerAttributeLow: null, facadeMsPerAttributeHigh: null };

function evidence(breakEvens: readonly BreakEven[]): Evidence {
  return evidenceOf({ ...nothing, arms, breakEvens, mtuBytes: 0, libraries: [], generator: undefined });
}

function counts(...rows: readonly BreakEven[]): readonly string[] {
  return breakEvenCount("facade", "read", evidence(rows)).map(({ strength, sentence }) => `${strength}: ${sentence}`);
}

function costs(...rows: readonly BreakEven[]): readonly string[] {
  return attributeCost("facade", "read", evidence(rows)).map(({ strength, sentence }) => `${strength}: ${sentence}`);
}

const others = [
  lines("SOAP", { study: "other" }),
  lines("SOAP", { task: "write" }),
  lines("SOAP", { against: "chatty-parallel" }),
];

describe("the number of attributes from which on the façade pays", () => {
  it("is the first beyond the whole interval, within what was measured", () => {
    expect(counts(lines("REST"), ...others)).toEqual([
      "clear: For a read, the façade is faster from 3 attributes on over REST: the lines cross at 2.00 (95 % interval 1.80 to 2.20).",
    ]);
    expect(counts(lines("REST", { high: 5.9 }))).toEqual([expect.stringContaining("is faster from 6 attributes on")]);
    expect(counts(lines("REST", { high: 6 }))).toEqual([
      "inconclusive: For a read, the attribute count from which the façade is faster is unclear over REST: the lines cross at 2.00 (95 % interval 1.80 to 6.00).",
    ]);
    expect(counts(lines("REST", { attributes: 0.4, low: 0.2, high: 0.6 }))).toEqual([
      expect.stringContaining("is faster from 1 attribute on"),
    ]);
  });

  it("only looks so without an interval", () => {
    expect(counts(lines("REST", noInterval))).toEqual([
      "inconclusive: For a read, the façade looks faster from 3 attributes on over REST: the lines cross at 2.00 (no interval).",
    ]);
  });

  it("is all there are, or none, where lines do not cross", () => {
    expect(counts(lines("REST", { attributes: null, always: true }), lines("gRPC", { attributes: null }))).toEqual([
      "clear: For a read, the façade is faster at every measured count over REST.",
      "inconclusive: For a read, no break-even is in sight within the measured counts over gRPC.",
    ]);
  });

  it("is not reported of other studies, tasks and variants", () => {
    expect(counts(...others)).toEqual([]);
    expect(costs(...others)).toEqual([]);
  });
});

describe("the cost of one more attribute", () => {
  it("is clear where its interval does not hold 0, on either side", () => {
    expect(costs(lines("REST"))).toEqual([
      "clear: One more attribute in a façade read, used or not, costs 10 µs over REST (95 % interval 8 to 12 µs).",
    ]);
    const less = { facadeMsPerAttribute: -0.01, facadeMsPerAttributeLow: -0.012, facadeMsPerAttributeHigh: -0.008 };
    expect(costs(lines("REST", less))).toEqual([expect.stringContaining("clear:")]);
  });

  it("is indistinguishable from 0 where it does", () => {
    const around = { facadeMsPerAttributeLow: -0.001 };
    expect(costs(lines("REST"), lines("gRPC", around))).toEqual([
      expect.stringMatching(/^clear: One more .* costs 10 µs over REST/),
      expect.stringMatching(/^inconclusive: .* costs nothing that is distinguishable from 0: 10 µs over gRPC/),
    ]);
    for (const edge of [{ facadeMsPerAttributeLow: 0 }, { facadeMsPerAttributeLow: -1, facadeMsPerAttributeHigh: 0 }]) {
      expect(costs(lines("REST", edge))).toEqual([expect.stringContaining("inconclusive:")]);
    }
  });

  it("is given as it is without an interval", () => {
    expect(costs(lines("REST", noInterval))).toEqual([
      "inconclusive: One more attribute in a façade read, used or not, costs 10 µs over REST (no interval).",
    ]);
  });
});
