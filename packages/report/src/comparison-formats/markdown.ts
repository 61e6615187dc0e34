// A comparison as Markdown, for a pull request comment or a job summary: short on top, everything else folded.
import { counted, type ComparedCell, type VersionComparison } from "@roundtrip/analysis";
import type { ComparisonFormat, ComparisonInput } from "../registry/format.ts";
import { affected, armsOf, otherWarnings, verdictOf, versionText } from "../comparisons/verdict-words.ts";
import {
  changesCaption,
  changeTable,
  differencesTable,
  exactTable,
  figuresTable,
  foldedText,
  shortened,
} from "../comparisons/change-table.ts";
import { latencyTable, memoryTable } from "../comparisons/cell-label.ts";
import { escapeMarkdown, markdownTable, type Table } from "../basics/table.ts";

/** A comment may have 65,536 characters, and nobody reads longer tables. */
const mostArms = 20;
const mostFigures = 60;
const mostOthers = 30;

/** Markdown without mentions and references, even for `@team` or `#12` in a branch name. */
function calm(markdown: string): string {
  return markdown.replaceAll(/@|\\#/g, "$&<!-- -->");
}

function plain(text: string): string {
  return calm(escapeMarkdown(text));
}

/** The same for a table, with at most `mostRows` rows. */
function short(table: Table, mostRows: number): string {
  return calm(markdownTable(shortened(table, mostRows)));
}

function details(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content.trimEnd()}\n\n</details>\n`;
}

function warnings(comparison: VersionComparison): readonly string[] {
  const shown = otherWarnings(comparison);
  if (shown.length === 0) return [];
  const lines = shown
    .slice(0, mostOthers)
    .map(({ code, message, armId }) => `- ${plain(`${message} (${code}${armId === undefined ? "" : `, ${armId}`})`)}`);
  return [details(counted(shown.length, "warning"), lines.join("\n"))];
}

function figures(comparison: VersionComparison): readonly string[] {
  const { cells } = comparison;
  if (cells.length === 0) return [];
  const { arms, others } = affected(comparison);
  const memory = memoryTable(comparison);
  const ordered: readonly ComparedCell[] = [...arms, ...others].flatMap((arm) => arm.cells);
  return [
    details(
      `All figures: ${counted(cells.length, "metric")} of ${counted(armsOf(comparison).length, "arm")}`,
      [
        short(figuresTable(comparison, ordered), mostFigures),
        ...(memory === null ? [] : [short(memory, mostArms)]),
      ].join("\n"),
    ),
  ];
}

function plots({ pictures }: ComparisonInput): readonly string[] {
  const drawn = pictures.map(({ path, alt }) => `![${plain(alt)}](${path})\n`);
  return drawn.length === 0 ? [] : [details("Plots", drawn.join("\n"))];
}

function versions({ base, head }: VersionComparison): string {
  return `base: ${plain(versionText(base))}, head: ${plain(versionText(head))}\n`;
}

function render(input: ComparisonInput): string {
  const { comparison } = input;
  const { word, headline, sureness, next } = verdictOf(comparison);
  const { arms } = affected(comparison);
  const exact = exactTable(comparison);
  const differences = differencesTable(comparison);
  const latencies = latencyTable(comparison);
  const folded = foldedText(comparison);
  const parts = [
    `### Roundtrip: ${word}\n`,
    `**${plain(headline)}**\n`,
    ...sureness.map((sentence) => `${plain(sentence)}\n`),
    ...(arms.length === 0 ? [] : [short(changeTable(comparison, arms, changesCaption(comparison)), mostArms)]),
    ...(latencies === null ? [] : [short(latencies, mostArms)]),
    ...folded.map((sentence) => `${plain(sentence)}\n`),
    ...(exact === null ? [] : [short(exact, mostOthers)]),
    ...(differences === null ? [] : [short(differences, mostOthers)]),
    ...(next === "" ? [] : [`Next: ${plain(next)}\n`]),
    ...plots(input),
    ...figures(comparison),
    ...warnings(comparison),
    versions(comparison),
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

export const format: ComparisonFormat = { name: "markdown", fileName: "comparison.md", render };
