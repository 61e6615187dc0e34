// Updates the table of docs/outside-suites.md: one row for each command, renewed by its run.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blockIn, withBlock } from "../page-block.ts";
import type { SuiteOutcome } from "./run-suite.ts";

const path = join(import.meta.dirname, "../../docs/outside-suites.md");
const heading =
  "| suite | program | passed | deviations allowed | seconds | run on | command |\n| --- | --- | --- | --- | --- | --- | --- |";

function commandOf(row: string): string {
  return row.split("|").at(-2)?.trim() ?? "";
}

function grouped(value = 0): string {
  return value.toLocaleString("en-US");
}

interface Asked {
  readonly requests?: number;
  readonly stack?: readonly string[];
}

function rowOf(outcome: SuiteOutcome, { requests, stack }: Asked, day: string): string {
  const { name, program, passed, checked, unit, allowed, seconds } = outcome;
  const options = [
    ...(requests === undefined ? [] : [`--requests ${requests}`]),
    ...(stack === undefined ? [] : [`--stack ${stack.join(" ")}`]),
  ];
  const command = `\`pnpm outside ${[name, ...options].join(" ")}\``;
  const figure = `${grouped(passed)} of ${grouped(checked)} ${unit}`;
  return `| ${[name, program, figure, allowed, seconds.toFixed(0), day, command].join(" | ")} |`;
}

export function keepFigures(outcomes: readonly SuiteOutcome[], asked: Asked): void {
  const text = readFileSync(path, "utf8");
  const kept = blockIn(text, "figures").trimEnd().split("\n").slice(2);
  const rows = new Map(kept.map((row) => [commandOf(row), row]));
  const day = new Date().toISOString().slice(0, 10);
  for (const outcome of outcomes.filter(({ verdict }) => verdict === "passed")) {
    const row = rowOf(outcome, asked, day);
    rows.set(commandOf(row), row);
  }
  const table = [heading, ...[...rows.values()].toSorted((a, b) => a.localeCompare(b))].join("\n");
  writeFileSync(path, withBlock(text, "figures", `${table}\n`));
}
