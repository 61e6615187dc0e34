// The report on one screen: the verdict, one table and one box plot of the leading study, the main warnings, and where to find the rest.
import { counted, type RunFacts } from "@roundtrip/analysis";
import { dirname } from "node:path";
import type { Table } from "../basics/table.ts";
import type { Format } from "../registry/format.ts";
import { reportTables } from "../registry/report-tables.ts";
import { findingLines, sentenceIndent } from "../text/finding-lines.ts";
import { clipClauses, hanging, printable } from "../text/fit.ts";
import { inks, type Inks } from "../text/ink.ts";
import { taskBoxes } from "../text/task-boxes.ts";
import { textTable } from "../text/text-table.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { viewStudies } from "../view/run-view.ts";
import { agreementText } from "../words/agreement-text.ts";
import { roundsInTime, unfinishedText } from "../words/how-far.ts";
import { leadFindings } from "../words/lead-findings.ts";
import { leadingWarnings } from "../words/leading-warnings.ts";

/** How names of studies of the built-in contract begin. Settings may name another contract, which the command line does not show. */
const builtIn = ["hello", "facade", "libraries", "network", "load"];

/** What to measure next; undefined if no suggestion is sure to be accepted. */
function nextStep({ arms, command, leftOut }: Pick<RunFacts, "arms" | "command" | "leftOut">): string | undefined {
  const has = (beginning: string): boolean => arms.some(({ study }) => study.startsWith(beginning));
  if (leftOut !== undefined && leftOut.cells.length > 0) {
    return `--budget ${Math.round(leftOut.budgetMs / 1000)}s for what was left out`;
  }
  if (/ --(?:contract|tasks|operations)\b/.test(command) || !builtIn.some(has)) {
    // No network can be put between clients and a server that this program does not serve; settings may name such a server.
    const isServedHere = / --contract\b/.test(command) && arms.every(({ target }) => target === undefined);
    return isServedHere && !/ --(?:serve|rtt)\b/.test(command) ? "--rtt 20 for 20 ms of distance" : undefined;
  }
  if (!has("libraries") && has("hello")) return '"bench libraries" for other servers';
  if (!has("network")) return '"bench network" for 1 to 200 ms';
  if (!has("load")) return '"bench load-rates" for load';
  return '"bench --contract FILE" for yours';
}

const mostLines = 45;
const mostWarningLines = 3;
const mostNoteLines = 2;
const mostTableLines = 16;
const mostBoxes = 6;
const leastVerdictLines = 9;

type Lines = readonly string[];

function measuredOnly(table: Table): Table {
  return { ...table, rows: table.rows.filter(({ role }) => role !== "published") };
}

/** The table in at most this many lines: its first rows and the number of others. */
function fittedTable(table: Table, columns: number, most: number, ink: Inks): Lines {
  const note = hanging("", table.note, columns).length > mostNoteLines ? "" : table.note;
  for (let shown = table.rows.length; shown > 0; shown -= 1) {
    const left = table.rows.length - shown;
    const more = left === 0 ? [] : [ink.quiet(`… ${counted(left, "more row")}`)];
    const lines = [...textTable({ ...table, note, rows: table.rows.slice(0, shown) }, columns, ink), ...more];
    if (lines.length <= most) return lines;
  }
  return [];
}

/** Whole findings that fit, at most eight, and the number of others. */
function verdict({ analysis, page }: ReportInput, most: number, ink: Inks): Lines {
  const { lead, more, others } = leadFindings(analysis);
  if (lead.length === 0) return [ink.heading("VERDICT"), "Nothing can be concluded from this run."];
  const shown: Lines[] = [];
  // One line is the heading, one counts the rest.
  let free = most - 2;
  for (const finding of lead) {
    const lines = findingLines(finding, page.columns, ink);
    if (shown.length > 0 && lines.length > free) continue;
    shown.push(lines);
    free -= lines.length;
  }
  const left = lead.length - shown.length + more.length + others.length;
  return [
    ink.heading("VERDICT"),
    ...shown.flat(),
    ...(left === 0 ? [] : [ink.quiet(`${" ".repeat(sentenceIndent)}${counted(left, "more finding")}`)]),
  ];
}

/** Three lines: whole warnings if they fit, otherwise the first clauses of each. Counts the rest. */
function warnings({ analysis, page }: ReportInput, ink: Inks): Lines {
  const all = leadingWarnings(analysis).map((text) => `! ${printable(text)}`);
  const whole = all.flatMap((text) => hanging("! ", text.slice(2), page.columns));
  if (whole.length <= mostWarningLines) return whole.map(ink.careful);
  const shown = all.length <= mostWarningLines ? all : all.slice(0, mostWarningLines - 1);
  const left = all.length - shown.length;
  const lines = [...shown, ...(left === 0 ? [] : [`! ${counted(left, "more warning")}`])];
  return lines.map((text) => ink.careful(clipClauses(text, page.columns)));
}

/** In one line, or in lines of their own. */
function alternatives(mark: string, texts: readonly string[], columns: number): Lines {
  const [line = "", ...more] = hanging(mark, texts.join("; "), columns);
  if (more.length === 0) return [line];
  return texts.flatMap((text, index) => hanging(index === 0 ? mark : " ".repeat(mark.length), text, columns));
}

function circumstances(input: ReportInput, ink: Inks): Lines {
  const { facts, files, page } = input;
  if (isForeign({ facts })) return ["Next:   --full for everything"];
  const document = files.find(({ path }) => path.endsWith(".html"));
  // The same flag of bench would measure again.
  const full = document === undefined ? "--full" : `"report ${dirname(document.path)} --full"`;
  const further = nextStep(facts);
  const next = [`${full} for everything`, ...(further === undefined ? [] : [further])];
  const { cpuModel, cores } = facts.environment;
  const where = cores === 0 ? "" : ` on ${cpuModel}, ${counted(cores, "core")}`;
  const how = `${roundsInTime(input)}${where}; ${agreementText(facts)}`;
  return [
    ...hanging("", printable(how), page.columns).map(ink.quiet),
    // Whole, however long: it is copied.
    ...(document === undefined ? [] : [`Report: ${document.path}`]),
    ...alternatives("Next:   ", next, page.columns),
  ];
}

/** The first table of the leading study and its box plot; empty without a study. */
async function leadingStudy(input: ReportInput, most: number, ink: Inks): Promise<Lines> {
  const [view] = viewStudies(input);
  if (view === undefined) return [];
  const boxes = taskBoxes(view, input, ink, mostBoxes);
  const [first] = (await reportTables({ ...input, published: [] })).short({ ...view, published: [] });
  const tableLines = Math.min(mostTableLines, most - boxes.length - 2);
  const table = first === undefined ? [] : fittedTable(measuredOnly(first), input.page.columns, tableLines, ink);
  return [table, boxes].filter((lines) => lines.length > 0).flatMap((lines) => [...lines, ""]);
}

async function render(input: ReportInput): Promise<string> {
  const ink = inks(input.page.colour);
  const early = unfinishedText(input);
  const unfinished = early === "" ? [] : hanging("! ", early, input.page.columns).map(ink.careful);
  const careful = warnings(input, ink);
  const end = [...careful, ...circumstances(input, ink)];
  const free = mostLines - unfinished.length - end.length - 1;
  const study = await leadingStudy(input, free - leastVerdictLines, ink);
  return [...unfinished, ...verdict(input, free - study.length, ink), "", ...study, ...end, ""].join("\n");
}

export const format: Format = {
  name: "summary",
  fileExtension: "summary.txt",
  mediaType: "text/plain; charset=utf-8",
  render,
};
