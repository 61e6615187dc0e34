// Renews the table of docs/k6.md that compares both load generators: `pnpm k6-clients`, on an idle machine with k6, takes five minutes.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Figure } from "../bench/self/measure.ts";
import { ownFigures } from "./own-figures.ts";
import { withBlock } from "./page-block.ts";

const root = join(import.meta.dirname, "..");
const page = join(root, "docs/k6.md");
const styles = ["gRPC", "REST", "GraphQL"] as const;

const figures = ownFigures("k6-clients");
const rounds = figures[0]?.rounds ?? 0;

function found(of: string): Figure {
  const figure = figures.find((one) => one.of === of);
  if (figure === undefined) throw new Error(`the output of k6-clients has no figure “${of}”`);
  return figure;
}

const number = (value: number, unit: string): string => (unit === "×" ? value.toFixed(2) : value.toFixed(0));

function shown({ value, interval, unit }: Figure): string {
  const between = interval === null ? "" : ` (${number(interval.low, unit)}–${number(interval.high, unit)})`;
  return `${number(value, unit)}${between}`;
}

const columns = [
  { what: "median", by: "Node" },
  { what: "median", by: "k6" },
  { what: "median", by: "k6's own count" },
  { what: "p99", by: "Node" },
  { what: "p99", by: "k6" },
  { what: "client CPU", by: "Node" },
  { what: "client CPU", by: "k6" },
] as const;
const rows = styles.map((style) => {
  const cells = columns.map(({ what, by }) => shown(found(`${style}, ${what}, ${by}`)));
  return [style, ...cells, shown(found(`${style}, median, k6 over Node`))];
});
const head = ["µs", ...columns.map(({ what, by }) => `${what}, ${by}`), "median, k6 ÷ Node"];
const table = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const machine = `${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}`;
const measured = `Measured on ${new Date().toISOString().slice(0, 10)} by \`pnpm k6-clients\` in ${rounds} rounds, on ${machine}; means of rounds with 95 % intervals.`;
writeFileSync(page, withBlock(readFileSync(page, "utf8"), "k6-clients", `${table}\n\n${measured}\n`));
