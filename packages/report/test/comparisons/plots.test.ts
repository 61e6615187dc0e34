// The pictures of a comparison.
import { renderComparisonPlots } from "@roundtrip/report";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { failed, passed, runs } from "../support/comparison.ts";

function textsOf(svg: string): readonly string[] {
  const { document } = parseHTML(svg);
  return [...document.querySelectorAll("text")].map(({ textContent }) => textContent ?? "");
}

describe("pictures of a comparison", () => {
  it("show every change with its mark, the gravest first, beside what is tolerated and to be detected", () => {
    const [changes] = renderComparisonPlots(failed);
    const texts = textsOf(changes?.svg ?? "");
    expect(texts).toEqual(expect.arrayContaining(["tolerated", "to be detected", "▲ REST hello, latency"]));
    expect(texts.filter((text) => /^[▲▼=?] /.test(text))).toHaveLength(18);
    expect(texts.find((text) => /^[▲▼=?] /.test(text))).toBe("▲ REST hello, latency");
    expect(changes?.alt).toContain("REST hello, latency +8.1 % (+6 to +11 %, worse)");
  });

  it("are there for two runs too, and not for a comparison without cells", () => {
    expect(renderComparisonPlots(runs).map(({ name }) => name)).toEqual(["comparison-changes"]);
    expect(renderComparisonPlots({ ...passed, cells: [] })).toEqual([]);
  });
});
