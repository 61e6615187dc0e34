// A comparison on a terminal: the verdict first, one line per changed arm, the number of others, and what to do next.
import { basename } from "node:path";
import type { ComparisonFormat, ComparisonInput } from "../registry/format.ts";
import { affected, otherWarnings, type Verdict, verdictOf, versionText } from "../comparisons/verdict-words.ts";
import {
  changesCaption,
  changeTable,
  differencesTable,
  exactTable,
  foldedText,
  shortened,
} from "../comparisons/change-table.ts";
import { format as junit } from "./junit.ts";
import { latencyTable, memoryTable } from "../comparisons/cell-label.ts";
import { hanging, pad, printable, inks, textTable, type Ink, type Inks } from "../text/text-table.ts";
import type { Table } from "../basics/table.ts";

/** More rows would push the verdict off the screen. */
const mostRows = 16;

function inkOf(state: Verdict["state"], ink: Inks): Ink {
  return { fail: ink.bad, pass: ink.good, inconclusive: ink.careful, none: ink.careful }[state];
}

function verdict({ comparison, page }: ComparisonInput, ink: Inks): readonly string[] {
  const { word, state, headline, sureness } = verdictOf(comparison);
  const [first = "", ...rest] = hanging(`${word}  `, printable(headline), page.columns);
  const lead = word.length;
  return [
    ink.heading(inkOf(state, ink)(first.slice(0, lead))) + first.slice(lead),
    ...rest,
    ...sureness.flatMap((sentence) => hanging(" ".repeat(lead + 2), printable(sentence), page.columns)),
  ];
}

function warnings({ comparison, page }: ComparisonInput, ink: Inks): readonly string[] {
  return otherWarnings(comparison).flatMap(({ code, message, armId }) =>
    hanging(
      ink.careful("! "),
      printable(`${message} (${code}${armId === undefined ? "" : `, ${armId}`})`),
      page.columns,
    ),
  );
}

function versions({ comparison, page }: ComparisonInput): readonly string[] {
  return (["base", "head"] as const).flatMap((side) =>
    hanging(`${side}  `, printable(versionText(comparison[side])), page.columns),
  );
}

function files({ files: written, page }: ComparisonInput, ink: Inks): readonly string[] {
  const width = Math.max(0, ...written.map(({ path }) => path.length));
  return written.flatMap(({ path, holds }) =>
    hanging(`${pad(path, width, "start")}  `, ink.quiet(holds), page.columns),
  );
}

/** After a FAIL, the command that prints the failed rows alone: JUnit has one line for each metric, whatever their number. */
function failedRows({ comparison, files: written }: ComparisonInput): readonly string[] {
  const path = written.find(({ path: file }) => basename(file) === junit.fileName)?.path;
  // A path that steers the terminal cannot be shown as it is.
  if (verdictOf(comparison).state !== "fail" || path === undefined || printable(path) !== path) return [];
  const word = `'${(path.startsWith("-") ? `./${path}` : path).replaceAll("'", String.raw`'\''`)}'`;
  // Not wrapped, so that it can be pasted.
  return ["The failed rows alone:", `  grep '<failure' ${word}`];
}

function render(input: ComparisonInput): string {
  const { comparison, page } = input;
  const ink = inks(page.introducer);
  const text = (table: Table | null): readonly string[] =>
    table === null ? [] : textTable(shortened(table, mostRows), page.columns, ink);
  const { arms } = affected(comparison);
  const { next } = verdictOf(comparison);
  const parts = [
    verdict(input, ink),
    arms.length === 0 ? [] : text(changeTable(comparison, arms, changesCaption(comparison))),
    text(latencyTable(comparison)),
    foldedText(comparison).flatMap((sentence) => hanging("", printable(sentence), page.columns)),
    text(exactTable(comparison)),
    text(memoryTable(comparison)),
    text(differencesTable(comparison)),
    warnings(input, ink),
    next === "" ? [] : hanging("Next: ", next, page.columns),
    failedRows(input),
    [...versions(input).map(ink.quiet), ...files(input, ink)],
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

export const format: ComparisonFormat = { name: "terminal", fileName: "comparison.txt", render };
