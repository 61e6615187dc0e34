// Renews the table of CONTRIBUTING.md on the cost of interpreting a contract: `pnpm interpreter-tax`, on an idle machine, takes a quarter of an hour.
// Further words go to the measure, such as `--rounds 6`.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { targetResult, type Figure } from "../bench/self/measure.ts";
import { rivalPlans } from "../bench/self/rival-plans.ts";
import { markdownTable } from "./markdown-table.ts";
import { ownFigures } from "./own-figures.ts";
import { withBlock } from "./page-block.ts";

const page = join(import.meta.dirname, "../CONTRIBUTING.md");
const plans = Object.keys(rivalPlans);

function shown(figure: Figure): string {
  const { value, interval } = figure;
  const between = interval === null ? "" : ` (${interval.low.toFixed(3)} to ${interval.high.toFixed(3)})`;
  return `${value.toFixed(3)}${between}, ${targetResult(figure)}`;
}

const figures = ownFigures("interpreter-tax", ...process.argv.slice(2));
const ofServers = Map.groupBy(figures, ({ of }) => plans.reduce((name, plan) => name.replace(`, ${plan}`, ""), of));
const rows = [...ofServers].map(([server, own]) => [server, ...own.map(shown), `≤ ${own[0]?.atMost}`]);
const table = markdownTable(["server", ...plans, "target"], rows);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}`;
const measured = `Measured on ${new Date().toISOString().slice(0, 10)} by \`pnpm interpreter-tax\` in ${figures[0]?.rounds} rounds, on ${machine}.`;
writeFileSync(page, withBlock(readFileSync(page, "utf8"), "interpreter-tax", `\n${table}\n${measured}\n\n`));
