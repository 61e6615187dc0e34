// Renews the table of docs/method.md on the coverage of library effects, by simulation: `pnpm library-coverage`, takes ten minutes.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exactInterval } from "../bench/self/gate/exact-interval.ts";
import { noises } from "../bench/self/gate/noises.ts";
import { libraryCoverage, tablesOfPage } from "../bench/self/library-coverage.ts";
import { markdownTable, percent } from "./markdown-table.ts";
import { withBlock } from "./page-block.ts";

const page = join(import.meta.dirname, "../docs/method.md");
const promised = 0.05;

/** Bold if even the lower end of the share's own interval exceeds the promised share. */
function shareText(count: number, tables: number): string {
  const text = `${percent(count / tables, 1)} %`;
  return exactInterval(count, tables).low > promised ? `**${text}**` : text;
}

const rows = noises.map(({ name }) => {
  const { tables, missedRatios, missedVariances, wrongChoices } = libraryCoverage(name, 6, tablesOfPage, 1);
  const { style, server, client } = missedVariances;
  return [name, ...[missedRatios, style, server, client, wrongChoices].map((count) => shareText(count, tables))];
});
const head = ["noise", "ratios", "variance of styles", "of servers", "of clients", "wrongly “matters more”"];
writeFileSync(page, withBlock(readFileSync(page, "utf8"), "library-coverage", `\n${markdownTable(head, rows)}\n`));
