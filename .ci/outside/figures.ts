// Updates the table of docs/outside-suites.md: one row for each suite on its servers, renewed by its run.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { knownStack } from "../../packages/stacks/src/index.ts";
import { blockIn, withBlock } from "../page-block.ts";
import type { SuiteOutcome } from "./run-suite.ts";

const path = join(import.meta.dirname, "../../docs/outside-suites.md");
const heading =
  "| suite | served by | program | passed | deviations allowed | seconds | run on | command |\n| --- | --- | --- | --- | --- | --- | --- | --- |";

function commandOf(row: string): string {
  return row.split("|").at(-2)?.trim() ?? "";
}

function grouped(value = 0): string {
  return value.toLocaleString("en-US");
}

function rowOf(outcome: SuiteOutcome, requests: number | undefined, day: string): string {
  const { name, stacks, program, passed, checked, unit, allowed, seconds } = outcome;
  const others = stacks.filter((stack) => !knownStack(stack).isDefault);
  const options = [
    ...(requests === undefined ? [] : [`--requests ${requests}`]),
    ...(others.length === 0 ? [] : [`--stack ${others.join(" ")}`]),
  ];
  const command = `\`pnpm outside ${[name, ...options].join(" ")}\``;
  const figure = `${grouped(passed)} of ${grouped(checked)} ${unit}`;
  return `| ${[name, stacks.join(", "), program, figure, allowed, seconds.toFixed(0), day, command].join(" | ")} |`;
}

export function keepFigures(outcomes: readonly SuiteOutcome[], requests: number | undefined): void {
  const text = readFileSync(path, "utf8");
  const kept = blockIn(text, "figures").trimEnd().split("\n").slice(2);
  const rows = new Map(kept.map((row) => [commandOf(row), row]));
  const day = new Date().toISOString().slice(0, 10);
  for (const outcome of outcomes.filter(({ verdict }) => verdict === "passed")) {
    const row = rowOf(outcome, requests, day);
    rows.set(commandOf(row), row);
  }
  const table = [heading, ...[...rows.values()].toSorted((a, b) => a.localeCompare(b))].join("\n");
  writeFileSync(path, withBlock(text, "figures", `${table}\n`));
}
