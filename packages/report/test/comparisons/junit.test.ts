// A comparison as JUnit XML: valid for who reads it, and no test case passes or fails that was not judged so.
import { loadComparisonFormat } from "@roundtrip/report";
import type { VersionComparison } from "@roundtrip/analysis";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateXML } from "xmllint-wasm";
import { better, failed, inconclusive, inputOf, passed, runs } from "../support/comparison.ts";

const schema = readFileSync(new URL("../support/junit.xsd", import.meta.url), "utf8");
const format = await loadComparisonFormat("junit");

function rendered(comparison: VersionComparison): string {
  return format.render(inputOf(comparison));
}

async function faults(contents: string): Promise<readonly string[]> {
  const { errors } = await validateXML({ xml: [{ fileName: "comparison.xml", contents }], schema: [schema] });
  return errors.map(({ message }) => message);
}

/** Test cases by what became of them. */
function outcomes(xml: string): Readonly<Record<string, number>> {
  const count = (part: string): number => xml.split(part).length - 1;
  return { all: count("<testcase "), failed: count("<failure "), skipped: count("<skipped ") };
}

describe("JUnit XML", () => {
  it("is what Jenkins and GitLab take, whatever the comparison", async () => {
    const found = await Promise.all([better, failed, inconclusive, passed, runs].map((one) => faults(rendered(one))));
    expect(found.flat()).toEqual([]);
  });

  it("is well-formed whatever things are called", async () => {
    const evil = `<"&'>\u0000\u001B]]>\uD800 ✓`;
    const cells = failed.cells.map((cell) => ({ ...cell, id: `${evil}${cell.id}`, title: evil, task: evil }));
    const comparison = { ...failed, cells, base: { label: evil }, head: { label: evil } };
    expect(await faults(rendered(comparison))).toEqual([]);
  });

  it("has one test case a metric, and fails those alone that are worse", () => {
    expect(outcomes(rendered(failed))).toEqual({ all: 18, failed: 2, skipped: 0 });
    expect(outcomes(rendered(passed))).toEqual({ all: 18, failed: 0, skipped: 0 });
    expect(rendered(failed)).toContain('tests="18" failures="2" errors="0" skipped="0"');
    expect(rendered(failed)).toContain('classname="gate/hello/rest-express/single" name="latencyMs"><failure ');
  });

  it("passes nothing of a job that may not pass: one that lost its rounds, say", () => {
    const reason = "9 of 12 rounds were lost";
    const lost = { verdict: "inconclusive", reason, doubts: [reason] } as const;
    for (const comparison of [passed, inconclusive]) {
      const xml = rendered({ ...comparison, ...lost });
      expect(outcomes(xml)).toEqual({ all: 18, failed: 0, skipped: 18 });
      expect(xml).toContain(`<skipped message="not judged, as ${reason}: `);
    }
  });

  it("fails by a loss that was seen twice, although rounds were lost, and passes nothing beside it", () => {
    const doubts = ["a round was lost"];
    expect(outcomes(rendered({ ...failed, doubts }))).toEqual({ all: 18, failed: 2, skipped: 16 });
  });

  it("judges nothing of two runs of different jobs", () => {
    const cells = runs.cells.map((cell) => ({ ...cell, state: "worse" as const }));
    expect(outcomes(rendered({ ...runs, cells }))).toEqual({ all: 18, failed: 0, skipped: 18 });
  });
});
