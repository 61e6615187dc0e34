// The report as GitHub-flavoured Markdown: what follows, tables, and pictures as files beside it.
import { judgedClaims, sourceText } from "../words/published-findings.ts";
import { claimSentences, strengths } from "../words/claim-sentences.ts";
import { whatFollows } from "../words/what-follows.ts";
import { cautions, roundsInTime, unfinishedText } from "../words/run-text.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { studyHeading } from "../words/arm-label.ts";
import type { Format } from "../registry/format.ts";
import type { ShownFigure } from "../marks/plot.ts";
import { figuresOf, reportTables, type ReportTables } from "../registry/report-parts.ts";
import { viewStudies, type StudyView } from "../view/run-view.ts";
import type { PublishedFigures } from "@roundtrip/runs";
import { escapeMarkdown, markdownTable, topics } from "../basics/table.ts";

function picture({ name, title, alt }: ShownFigure): string {
  return `![${escapeMarkdown(`${title}. ${alt}`)}](plots/${name}.svg)\n`;
}

function published(input: ReportInput, figures: PublishedFigures): string {
  const judged = judgedClaims(input, figures).map(({ verdict, text }) => `- **${verdict}**: ${escapeMarkdown(text)}\n`);
  return `${escapeMarkdown(sourceText(input, figures))}\n\n${judged.join("")}`;
}

function study(
  input: ReportInput,
  tables: ReportTables,
  view: StudyView,
  figures: readonly ShownFigure[],
): readonly string[] {
  return [
    `## ${escapeMarkdown(studyHeading(view.study))}\n`,
    ...tables.published(view).map(markdownTable),
    ...view.published.map((of) => published(input, of)),
    ...view.tasks.flatMap((task) => {
      const lead = tables.lead(view, task);
      const ofTask = figures.filter((figure) => figure.task === task.task);
      return topics.flatMap((topic) => [
        ...lead.filter((one) => one.topic === topic).map(({ table }) => markdownTable(table)),
        ...ofTask.filter((figure) => figure.topic === topic).map(picture),
      ]);
    }),
    ...tables.conclusions(view).map(markdownTable),
    ...figures.filter((figure) => figure.task === null).map(picture),
  ];
}

function claims(input: ReportInput): readonly string[] {
  const sentences = claimSentences(input.analysis).map(
    ({ strength, text }) => `- **${strengths[strength].word}**: ${escapeMarkdown(text)}`,
  );
  return sentences.length === 0 ? [] : [`### What the figures support\n`, `${sentences.join("\n")}\n`];
}

async function render(input: ReportInput): Promise<string> {
  const { facts, analysis } = input;
  const [figures, tables] = await Promise.all([figuresOf(input), reportTables(input)]);
  const [firstCalls, environment] = [tables.section("first calls"), tables.section("environment")];
  const warnings = analysis.warnings.map(
    ({ code, message, armId }) =>
      `- ${escapeMarkdown(`${message} (${code}${armId === undefined ? "" : `, ${armId}`})`)}`,
  );
  return `${[
    `# What a call costs\n`,
    isForeign(input)
      ? "Samples that another tool took.\n"
      : `${escapeMarkdown(facts.command)}: ${roundsInTime(input)}, ${facts.status}\n`,
    ...(facts.status === "complete" ? [] : [`**${unfinishedText(input)}**\n`]),
    `## What follows\n`,
    `${whatFollows(input)
      .map((text) => `- ${escapeMarkdown(text)}`)
      .join("\n")}\n`,
    ...cautions(analysis).map((caution) => `${escapeMarkdown(caution)}\n`),
    ...claims(input),
    ...viewStudies(input).flatMap((view) =>
      study(
        input,
        tables,
        view,
        figures.filter((figure) => figure.study === view.study),
      ),
    ),
    ...(firstCalls.length === 0 ? [] : [`## The first call\n`, ...firstCalls.map(markdownTable)]),
    `## Warnings\n`,
    `${warnings.length === 0 ? "None." : warnings.join("\n")}\n`,
    ...(environment.length === 0 ? [] : [`## Environment\n`, ...environment.map(markdownTable)]),
  ]
    .join("\n")
    .trimEnd()}\n`;
}

export const format: Format = {
  name: "markdown",
  fileExtension: "md",
  render,
};
