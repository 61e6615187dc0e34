// The report on a terminal: the verdict first, then one screen per study, then what to keep in mind.
import { agreementText } from "../words/agreement-text.ts";
import { cautions } from "../words/cautions.ts";
import { generatorsText } from "../words/generators-text.ts";
import { linkText } from "../words/link-text.ts";
import { machineText } from "../words/machine-text.ts";
import { leadFindings } from "../words/lead-findings.ts";
import { isForeign } from "../foreign/foreign-samples.ts";
import type { Format } from "../format.ts";
import { counted, type Finding } from "@roundtrip/analysis";
import { roundsInTime, unfinishedText } from "../words/how-far.ts";
import type { ReportInput } from "../report-input.ts";
import { headlinePart, shortTables, shortTasks } from "../report-tables.ts";
import { viewStudies, type StudyView } from "../run-view.ts";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { strengths } from "../words/strength.ts";
import { textBoxPlot, type BoxRow } from "../text/box-plot.ts";
import { hanging, pad, printable } from "../text/fit.ts";
import { inks, type Inks } from "../text/ink.ts";
import { textTable } from "../text/text-table.ts";

const wordWidth = Math.max(...Object.values(strengths).map(({ word }) => word.length));

function sentences(findings: readonly Finding[], { page }: ReportInput, ink: Inks): readonly string[] {
  return findings.flatMap(({ strength, sentence }) => {
    const { mark, word } = strengths[strength];
    const tint = strength === "clear" ? ink.good : strength === "inconclusive" ? ink.careful : ink.quiet;
    const [first = "", ...rest] = hanging(
      `${mark} ${pad(word, wordWidth, "start")}  `,
      printable(sentence),
      page.columns,
    );
    const lead = wordWidth + 4;
    return [tint(first.slice(0, lead)) + first.slice(lead), ...rest];
  });
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
      : [ink.quiet(`${" ".repeat(wordWidth + 4)}${counted(more.length, "more finding")} below the tables`)]),
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
      : hanging(" ".repeat(wordWidth + 4), elsewhere, input.page.columns).map((line) => ink.quiet(line))),
    "",
  ];
}

function boxPlot(view: StudyView, input: ReportInput, ink: Inks): readonly string[] {
  const { page } = input;
  const [task] = shortTasks(input, view);
  if (task === undefined) return [];
  const rows = task.headline.flatMap(({ arm, latency, distribution }): readonly BoxRow[] =>
    latency === null ? [] : [{ label: armLabel(task, arm, task.headline), summary: latency, distribution }],
  );
  const part = headlinePart(task);
  return textBoxPlot(`${taskLabel(task)}${part === "" ? "" : `, ${part}`}: latency per task`, rows, page.columns, ink);
}

function study(view: StudyView, input: ReportInput, ink: Inks): readonly string[] {
  const [first = [], ...others] = shortTables(input, view).map((table) => textTable(table, input.page.columns, ink));
  return [first, boxPlot(view, input, ink), ...others]
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

function render(input: ReportInput): string {
  const ink = inks(input.page.colour);
  const early = unfinishedText(input);
  const unfinished = early === "" ? [] : [...hanging("! ", early, input.page.columns).map(ink.careful), ""];
  return [
    ...unfinished,
    ...verdict(input, ink),
    "",
    ...viewStudies(input).flatMap((view) => study(view, input, ink)),
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
  render: async (input) => Promise.resolve(render(input)),
};
