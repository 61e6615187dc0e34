// Renews the table of docs/method.md on the coverage of intervals from few rounds, by simulation: `pnpm few-rounds`, takes a minute.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { coverageRows, mostMissed, type CoverageRow } from "../bench/self/few-rounds.ts";
import { exactInterval } from "../bench/self/gate/exact-interval.ts";
import { markdownTable, percent } from "./markdown-table.ts";
import { withBlock } from "./page-block.ts";

const seed = 1;
const page = join(import.meta.dirname, "../docs/method.md");
const rows = coverageRows(seed, () => undefined);
const roundCounts = [...new Set(rows.map(({ rounds }) => rounds))];
const sizes = [...new Set(rows.map(({ comparisons }) => comparisons))];

/** Bold if even the lower end of the share's own interval exceeds the promised share. */
function missedText({ missed, tables }: CoverageRow): string {
  const text = `${percent(missed / tables, 1)} %`;
  return exactInterval(missed, tables).low > mostMissed ? `**${text}**` : text;
}

function cellsOf(noise: string, comparisons: number, show: (row: CoverageRow) => string): readonly string[] {
  return roundCounts.map((rounds) => {
    const row = rows.find((one) => one.noise === noise && one.comparisons === comparisons && one.rounds === rounds);
    if (row === undefined) throw new Error(`no tables of ${comparisons} with ${noise} noise in ${rounds} rounds`);
    return show(row);
  });
}

const head = ["noise", "compared", ...roundCounts.map((rounds) => `${rounds} rounds${rounds < 6 ? "" : " (max-T)"}`)];
const noises = [...new Set(rows.map(({ noise }) => noise))];
const coverage = noises.flatMap((noise) =>
  sizes.map((size) => [noise, String(size), ...cellsOf(noise, size, missedText)]),
);
const widths = sizes.map((size) => [
  "half-width, normal",
  String(size),
  ...cellsOf("normal", size, ({ halfWidth }) => halfWidth.toFixed(2)),
]);
const table = markdownTable(head, [...coverage, ...widths]);
writeFileSync(page, withBlock(readFileSync(page, "utf8"), "few-rounds", `\n${table}\n`));
