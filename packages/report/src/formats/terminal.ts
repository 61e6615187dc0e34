// The whole report on a terminal: what follows first, then one screen per study, then the claims and the warnings.
import { type ClaimSentence, claimSentences, strengths } from "../words/claim-sentences.ts";
import { hanging, pad, printable, inks, textTable, type Inks } from "../text/text-table.ts";
import type { Environment } from "@roundtrip/runs";
import type { Format } from "../registry/format.ts";
import { reportTables, type ReportTables } from "../registry/report-parts.ts";
import { taskBoxes } from "../text/box-plot.ts";
import { judgedClaims, sourceText, verdictMarks } from "../words/published-findings.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { type StudyView, viewStudies } from "../view/run-view.ts";
import { agreementText, generatorsText, linkText, roundsInTime, unfinishedText, cautions } from "../words/run-text.ts";
import { whatFollows } from "../words/what-follows.ts";

const wordWidth = Math.max(...Object.values(strengths).map(({ word }) => word.length));
const sentenceIndent = wordWidth + 4;

function claimLines(
  { strength, text }: Pick<ClaimSentence, "strength" | "text">,
  columns: number,
  ink: Inks,
): readonly string[] {
  const { mark, word } = strengths[strength];
  const tint = strength === "clear" ? ink.good : strength === "open" ? ink.careful : ink.quiet;
  const lead = `${mark} ${pad(word, wordWidth, "start")}  `;
  const [first = "", ...rest] = hanging(lead, printable(text), columns);
  return [tint(first.slice(0, sentenceIndent)) + first.slice(sentenceIndent), ...rest];
}

/** `Node.js 24 on Xeon, 2 cores, Linux 6`; undefined where imported results did not report it. */
function machineText({ runtime, cpuModel, cores, kernel }: Environment): string | undefined {
  return cores === 0 ? undefined : `${runtime} on ${cpuModel}, ${cores} cores, ${kernel}`;
}

function conclusions(input: ReportInput, ink: Inks): readonly string[] {
  const { analysis, page } = input;
  return [
    ink.heading("WHAT FOLLOWS"),
    ...whatFollows(input).flatMap((text) => hanging("- ", printable(text), page.columns)),
    ...cautions(analysis).flatMap((caution) => hanging(ink.careful("! "), printable(caution), page.columns)),
  ];
}

function claims({ analysis, page }: ReportInput, ink: Inks): readonly string[] {
  const sentences = claimSentences(analysis);
  if (sentences.length === 0) return [];
  return [
    ink.heading("WHAT THE FIGURES SUPPORT, with 95 % intervals"),
    ...sentences.flatMap((sentence) => claimLines(sentence, page.columns, ink)),
    "",
  ];
}

function published({ published: all }: StudyView, input: ReportInput, ink: Inks): readonly string[] {
  const tints = { holds: ink.good, "does not hold": ink.bad, "cannot tell": ink.careful };
  return all.flatMap((figures) => [
    ...judgedClaims(input, figures).flatMap(({ verdict, text }) => {
      const [first = "", ...rest] = hanging(
        `${verdictMarks[verdict]} `,
        printable(`${verdict}: ${text}`),
        input.page.columns,
      );
      return [tints[verdict](first), ...rest];
    }),
    ...hanging("", printable(sourceText(input, figures)), input.page.columns).map(ink.quiet),
  ]);
}

function study(view: StudyView, input: ReportInput, tables: ReportTables, ink: Inks): readonly string[] {
  const [first = [], ...others] = tables.short(view).map((table) => textTable(table, input.page.columns, ink));
  const theirs = tables.published(view).map((table) => textTable(table, input.page.columns, ink));
  return [...theirs, published(view, input, ink), first, taskBoxes(view, input, ink), ...others]
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
  const ink = inks(input.page.introducer);
  const early = unfinishedText(input);
  const unfinished = early === "" ? [] : [...hanging("! ", early, input.page.columns).map(ink.careful), ""];
  return [
    ...unfinished,
    ...conclusions(input, ink),
    "",
    ...viewStudies(input).flatMap((view) => study(view, input, tables, ink)),
    ...claims(input, ink),
    ...warnings(input, ink),
    ...circumstances(input, ink),
    ...files(input, ink),
    "",
  ].join("\n");
}

export const format: Format = {
  name: "terminal",
  fileExtension: "txt",
  render,
};
