// The report on one screen: a table for each leading study, a box plot, the façade, what follows, the main warnings, and where the report is.
import { counted } from "@roundtrip/analysis";
import { dirname } from "node:path";
import stringWidth from "string-width";
import { type Table, withoutColumn } from "../basics/table.ts";
import type { Format } from "../registry/format.ts";
import { reportTables } from "../registry/report-parts.ts";
import { screenTable } from "../rows/arm-table.ts";
import { facadeLines } from "../text/facade-lines.ts";
import {
  clipClauses,
  hanging,
  printable,
  inks,
  fits,
  fittedTable,
  stackedTables,
  textTable,
  type Inks,
} from "../text/text-table.ts";
import { publicationLines, publicationOf } from "../text/publication-lines.ts";
import { taskBoxes } from "../text/box-plot.ts";
import { isForeign, type ReportInput } from "../view/report-input.ts";
import { shortTasks, viewStudies, type StudyView } from "../view/run-view.ts";
import { agreementText, roundsInTime, unfinishedText, leadingWarnings } from "../words/run-text.ts";
import { whatFollows } from "../words/what-follows.ts";

const mostLines = 40;
const mostWarningLines = 2;
const mostTableLines = 14;
const mostBoxes = 4;
const mostStyles = 4;
const leadingStudies = 2;

type Lines = readonly string[];

/** Sweeps of attributes and sizes are shown at their end; over distance and other factors the whole sweep is the answer. */
const shownAtTheirEnd: readonly (string | null)[] = [null, "attributes", "payloadBytes"];

/** What a wide table lacks first, so that the other columns stand side by side. */
const leftOutFirst = ["calls", "p50"];

/** All of these tables without the same columns, so that they can stand below each other. */
function narrowed(tables: readonly Table[], columns: number): readonly Table[] {
  return leftOutFirst.reduce(
    (all, heading) =>
      all.every((table) => fits(table, columns)) ? all : all.map((table) => withoutColumn(table, heading)),
    tables,
  );
}

/** The table of a study's first task; undefined without one. */
async function tableOf(view: StudyView, input: ReportInput): Promise<Table | undefined> {
  const [task] = shortTasks(input, view);
  if (task !== undefined && shownAtTheirEnd.includes(task.sweep)) return screenTable(input, task).table;
  const [first] = (await reportTables({ ...input, published: [] })).short({ ...view, published: [] });
  return first && { ...first, note: "", rows: first.rows.filter(({ role }) => role !== "published") };
}

/** The tables of the leading studies in at most this many lines: all that fit whole, or part of the first. */
async function studyTables(input: ReportInput, most: number, ink: Inks): Promise<Lines> {
  const { columns } = input.page;
  const views = viewStudies(input).slice(0, leadingStudies);
  const made = await Promise.all(views.map(async (view) => tableOf(view, input)));
  const tables = narrowed(
    made.filter((table) => table !== undefined),
    columns,
  );
  const [first] = tables;
  if (first === undefined) return [];
  const together = stackedTables(tables, columns, ink) ?? tables.flatMap((table) => textTable(table, columns, ink));
  return together.length <= most ? together : fittedTable(first, columns, Math.min(most, mostTableLines), ink);
}

function warnings({ analysis, page }: ReportInput, ink: Inks): Lines {
  const all = leadingWarnings(analysis).map((text) => `! ${printable(text)}`);
  const whole = all.flatMap((text) => hanging("! ", text.slice(2), page.columns));
  if (whole.length <= mostWarningLines) return whole.map(ink.careful);
  const shown = all.length <= mostWarningLines ? all : all.slice(0, mostWarningLines - 1);
  const left = all.length - shown.length;
  const lines = [...shown, ...(left === 0 ? [] : [`! ${counted(left, "more warning")}`])];
  return lines.map((text) => ink.careful(clipClauses(text, page.columns)));
}

function circumstances(input: ReportInput, ink: Inks): Lines {
  const { facts, page } = input;
  if (isForeign({ facts })) return [];
  const { cores } = facts.environment;
  const where = cores === 0 ? "" : ` on ${counted(cores, "core")}`;
  return hanging("", printable(`${roundsInTime(input)}${where}; ${agreementText(facts)}`), page.columns).map(ink.quiet);
}

function whereItIs({ files }: ReportInput): Lines {
  const document = files.find(({ path }) => path.endsWith(".html"));
  // Whole, however long: it is copied. The same flag of bench would measure again.
  if (document === undefined) return ["Everything: --format terminal"];
  return [`Report: ${document.path} ("report ${dirname(document.path)} --format terminal" prints everything)`];
}

/** Whole advice that fits, the most important first; what to run next always. */
function conclusions(input: ReportInput, most: number, ink: Inks): Lines {
  const all = whatFollows(input).map((text) => hanging("- ", printable(text), input.page.columns));
  const last = all.at(-1) ?? [];
  const lines: string[] = [];
  for (const wrapped of all.slice(0, -1)) {
    if (lines.length === 0 || lines.length + wrapped.length + last.length <= most) lines.push(...wrapped);
  }
  return [ink.heading("What follows"), ...lines, ...last];
}

/** Explains the mark in the first line that has space for it: the heading of the first table. */
function withMarkExplained(lines: Lines, columns: number): Lines {
  const [first = "", ...others] = lines;
  const isMarked = lines.some((line) => line.includes("†"));
  const explained = `${first} († still warming up: less in a longer run)`;
  return isMarked && stringWidth(explained) <= columns ? [explained, ...others] : lines;
}

async function render(input: ReportInput): Promise<string> {
  const ink = inks(input.page.introducer);
  const { columns } = input.page;
  const early = unfinishedText(input);
  const unfinished = early === "" ? [] : hanging("! ", early, columns).map(ink.careful);
  const end = [...warnings(input, ink), ...circumstances(input, ink), ...whereItIs(input)];
  const year = publicationOf(input);
  if (year !== undefined) {
    const repeated = await publicationLines(input, year, mostLines - unfinished.length - end.length, ink);
    return [...unfinished, ...repeated, ...end, ""].join("\n");
  }
  const follows = conclusions(input, 8, ink);
  const facade = facadeLines(input, mostStyles, ink);
  const free = mostLines - unfinished.length - end.length - follows.length - facade.length - 2;
  const tables = await studyTables(input, free - 1, ink);
  const [first] = viewStudies(input);
  const boxes = first === undefined ? [] : taskBoxes(first, input, ink, { mostBoxes, hasLegend: false });
  const fitsBelow = boxes.length > 0 && tables.length + 1 + boxes.length + 1 <= free;
  const plot = fitsBelow ? [...boxes, ""] : [];
  const middle = facade.length === 0 ? [] : [...facade, ""];
  const shown = tables.length === 0 ? [] : [...tables, ""];
  const lines = [...shown, ...plot, ...middle, ...follows, ...end];
  return [...unfinished, ...withMarkExplained(lines, columns), ""].join("\n");
}

export const format: Format = {
  name: "summary",
  fileExtension: "summary.txt",
  render,
};
