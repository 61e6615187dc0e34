// The whole report on a terminal: the verdict first, then one screen per study, then the warnings.
import { counted, type Environment, type Finding } from "@roundtrip/analysis";
import type { Format } from "../registry/format.ts";
import { reportTables, type ReportTables } from "../registry/report-tables.ts";
import { findingLines, sentenceIndent } from "../text/finding-lines.ts";
import { hanging, pad, printable } from "../text/fit.ts";
import { inks, type Inks } from "../text/ink.ts";
import { taskBoxes } from "../text/task-boxes.ts";
import { textTable } from "../text/text-table.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { viewStudies, type StudyView } from "../view/run-view.ts";
import { agreementText } from "../words/agreement-text.ts";
import { cautions } from "../words/cautions.ts";
import { generatorsText, linkText } from "../words/environment-text.ts";
import { roundsInTime, unfinishedText } from "../words/how-far.ts";
import { leadFindings } from "../words/lead-findings.ts";

/** `Node.js 24 on Xeon, 2 cores, Linux 6`; undefined where imported results did not report it. */
function machineText({ runtime, cpuModel, cores, kernel }: Environment): string | undefined {
  return cores === 0 ? undefined : `${runtime} on ${cpuModel}, ${cores} cores, ${kernel}`;
}

function sentences(findings: readonly Finding[], { page }: ReportInput, ink: Inks): readonly string[] {
  return findings.flatMap((finding) => findingLines(finding, page.columns, ink));
}

function verdict(input: ReportInput, ink: Inks): readonly string[] {
  const { analysis, page } = input;
  if (analysis.findings.length === 0) return [ink.heading("VERDICT"), "Nothing can be concluded from this run."];
  const { lead, more } = leadFindings(analysis);
  return [
    ink.heading("VERDICT"),
    ...sentences(lead, input, ink),
    ...(more.length === 0
      ? []
      : [ink.quiet(`${" ".repeat(sentenceIndent)}${counted(more.length, "more finding")} below the tables`)]),
    ...cautions(analysis).flatMap((caution) => hanging(ink.careful("! "), printable(caution), page.columns)),
  ];
}

function moreFindings(input: ReportInput, ink: Inks): readonly string[] {
  const { more, others } = leadFindings(input.analysis);
  if (more.length + others.length === 0) return [];
  const elsewhere = `${counted(others.length, "finding")} about other tasks in the other formats of this report`;
  return [
    ink.heading("MORE FINDINGS"),
    ...sentences(more, input, ink),
    ...(others.length === 0
      ? []
      : hanging(" ".repeat(sentenceIndent), elsewhere, input.page.columns).map((line) => ink.quiet(line))),
    "",
  ];
}

function study(view: StudyView, input: ReportInput, tables: ReportTables, ink: Inks): readonly string[] {
  const [first = [], ...others] = tables.short(view).map((table) => textTable(table, input.page.columns, ink));
  return [first, taskBoxes(view, input, ink), ...others]
    .filter((lines) => lines.length > 0)
    .flatMap((lines) => [...lines, ""]);
}

function warnings({ analysis, page }: ReportInput, ink: Inks): readonly string[] {
  if (analysis.warnings.length === 0) return [];
  return [
    ink.heading("WARNINGS"),
    ...analysis.warnings.flatMap(({ code, message, armId }) =>
      hanging(
        ink.careful("! "),
        printable(`${message} (${code}${armId === undefined ? "" : `, ${armId}`})`),
        page.columns,
      ),
    ),
    "",
  ];
}

function circumstances(input: ReportInput, ink: Inks): readonly string[] {
  const { facts, page } = input;
  if (isForeign({ facts })) return [];
  const { environment } = facts;
  const [generator, machine] = [generatorsText(environment), machineText(environment)];
  return [
    `${roundsInTime(input)}, seed ${facts.seed}, ${linkText(environment)}`,
    ...(environment.linkChoice === undefined ? [] : [environment.linkChoice]),
    ...(generator === undefined ? [] : [generator]),
    ...(machine === undefined ? [] : [machine]),
    agreementText(facts),
  ].flatMap((line) => hanging("", printable(line), page.columns).map(ink.quiet));
}

function files({ files: written, page }: ReportInput, ink: Inks): readonly string[] {
  if (written.length === 0) return [];
  const width = Math.max(...written.map(({ path }) => path.length));
  return [
    "",
    ...written.flatMap(({ path, holds }) => hanging(`${pad(path, width, "start")}  `, ink.quiet(holds), page.columns)),
  ];
}

async function render(input: ReportInput): Promise<string> {
  const tables = await reportTables(input);
  const ink = inks(input.page.colour);
  const early = unfinishedText(input);
  const unfinished = early === "" ? [] : [...hanging("! ", early, input.page.columns).map(ink.careful), ""];
  return [
    ...unfinished,
    ...verdict(input, ink),
    "",
    ...viewStudies(input).flatMap((view) => study(view, input, tables, ink)),
    ...moreFindings(input, ink),
    ...warnings(input, ink),
    ...circumstances(input, ink),
    ...files(input, ink),
    "",
  ].join("\n");
}

export const format: Format = {
  name: "terminal",
  fileExtension: "txt",
  mediaType: "text/plain; charset=utf-8",
  render,
};
