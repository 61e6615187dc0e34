// A comparison as JUnit XML for Jenkins and GitLab: one test case per metric of an arm. A FAIL fails, undecided metrics are skipped.
import { listed, type ComparedCell, type VersionComparison } from "@roundtrip/analysis";
import type { ComparisonFormat } from "../registry/format.ts";
import {
  armIdOf,
  changeRange,
  changeText,
  metricLabel,
  mostLost,
  shareText,
  latencyText,
  memoryText,
} from "../comparisons/cell-label.ts";
import { verdictOf } from "../comparisons/verdict-words.ts";
import { escapeXml, legalXml } from "../marks/draw-figure.ts";

type Outcome = "passed" | "failure" | "skipped";

/** Without a verdict nothing passes or fails. With doubts, such as lost rounds, no metric passes. */
function outcomeOf({ state }: ComparedCell, comparison: VersionComparison): Outcome {
  if (comparison.kind !== "side-by-side" || state === "undecided") return "skipped";
  if (state === "worse") return comparison.verdict === "fail" ? "failure" : "skipped";
  return comparison.doubts.length > 0 ? "skipped" : "passed";
}

function message(cell: ComparedCell, { tolerate }: VersionComparison): string {
  const { metric, ratio, low, high, rounds } = cell;
  const interval = low === null && high === null ? "" : `, 95 % interval ${changeRange(low, high)}`;
  return `${metricLabel(metric)} ${changeText(ratio)}${interval} (tolerated ${shareText(tolerate)}, ${rounds.head} rounds)`;
}

function body(cell: ComparedCell, comparison: VersionComparison): string {
  const text = escapeXml(message(cell, comparison));
  const outcome = outcomeOf(cell, comparison);
  const { state } = cell;
  if (outcome === "failure") return `<failure type="slower" message="${text}">${text}</failure>`;
  if (outcome === "skipped") {
    const most = mostLost(cell);
    const doubts = comparison.kind === "side-by-side" && state !== "undecided" ? comparison.doubts : [];
    const reason = doubts.length === 0 ? "undecided" : `not judged, as ${escapeXml(listed(doubts))}`;
    const why = `${reason}: ${text}${most === null ? "" : escapeXml(`; it may be up to ${changeText(most)}`)}`;
    return `<skipped message="${why}">${why}</skipped>`;
  }
  return `<system-out>${text}</system-out>`;
}

/** GitLab identifies test cases by class and name, Jenkins by suite too: neither may change. */
function testcase(cell: ComparedCell, comparison: VersionComparison): string {
  return `    <testcase classname="${escapeXml(armIdOf(cell))}" name="${escapeXml(cell.metric)}">${body(cell, comparison)}</testcase>\n`;
}

function render(comparison: VersionComparison): string {
  const { cells } = comparison;
  const count = (wanted: Outcome): number => cells.filter((cell) => outcomeOf(cell, comparison) === wanted).length;
  const failures = count("failure");
  const { word, headline, sureness } = verdictOf(comparison);
  const seconds = comparison.kind === "side-by-side" ? (comparison.durationMs / 1000).toFixed(3) : "0.000";
  const exact = comparison.exact.map(({ id, base, head }) => `${id}: ${base} in base, ${head} in head`);
  const latencies = comparison.latencies.map((latency) => `${latency.id}: ${latencyText(latency)}`);
  const memory = comparison.memory.map((row) => `${row.id}: ${memoryText(row)}`);
  const output = [`${word}: ${headline}`, ...sureness, ...latencies, ...memory, ...exact].join("\n");
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<testsuites name="roundtrip compare" tests="${cells.length}" failures="${failures}" errors="0" time="${seconds}">\n` +
    `  <testsuite name="roundtrip compare" tests="${cells.length}" failures="${failures}" errors="0" skipped="${count("skipped")}" time="${seconds}">\n` +
    cells.map((cell) => testcase(cell, comparison)).join("") +
    `    <system-out>${escapeXml(output)}</system-out>\n` +
    `  </testsuite>\n</testsuites>\n`
  );
}

export const format: ComparisonFormat = {
  name: "junit",
  fileName: "comparison.junit.xml",
  render: ({ comparison }) => legalXml(render(comparison)),
};
