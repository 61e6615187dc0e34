// Imports samples from CSV text: long form (`arm,round,latencyMs`), or one row per arm (its name, then nanoseconds).
import { CsvError, parse } from "csv-parse/sync";
import type { LongFormRow } from "@roundtrip/analysis";
import { ReportError } from "../basics/report-error.ts";

/** One record with the 1-based line on which it ends. */
interface CsvLine {
  readonly cells: readonly string[];
  readonly line: number;
}

const longFormHeader = ["arm", "round", "latencyms"];
const nanosecondsPerMs = 1e6;

function broken(line: number, problem: string, cause?: unknown): ReportError {
  return new ReportError("broken-csv", `line ${line}: ${problem}`, { cause });
}

function linesOf(text: string): readonly CsvLine[] {
  try {
    const records = parse(text, {
      bom: true,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      trim: true,
    }) as unknown as readonly { readonly record: readonly string[]; readonly info: { readonly lines: number } }[];
    return records.map(({ record, info }) => ({ cells: record, line: info.lines }));
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    const line = (cause as unknown as { readonly lines?: number }).lines ?? 1;
    throw broken(line, `this is not CSV: ${printable(cause.message)}`, cause);
  }
}

/** Escapes everything that a terminal could interpret. */
function printable(text: string): string {
  return text.replaceAll(/[^ -~]/gu, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

// `Number` alone would accept "", " " and "0x10".
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

function numberAt(text: string | undefined, name: string, line: number): number {
  if (text === undefined || text === "") throw broken(line, `${name} is missing`);
  if (!decimal.test(text)) throw broken(line, `${name} is not a number: ${quoted(text)}`);
  const value = Number(text);
  if (!Number.isFinite(value)) throw broken(line, `${name} is too large: ${quoted(text)}`);
  if (value < 0) throw broken(line, `${name} is negative: ${quoted(text)}`);
  return value;
}

function armAt(text: string | undefined, line: number): string {
  if (text === undefined || text === "") throw broken(line, "the arm has no name; put one in the first column");
  return text;
}

function longForm(lines: readonly CsvLine[]): readonly LongFormRow[] {
  return lines.map(({ cells, line }) => {
    if (cells.length !== longFormHeader.length) {
      throw broken(line, `expected 3 columns (arm, round, latencyMs), found ${cells.length}`);
    }
    const round = numberAt(cells[1], "round", line);
    if (!Number.isSafeInteger(round)) throw broken(line, `round is not a whole number: ${quoted(cells[1] ?? "")}`);
    return { arm: armAt(cells[0], line), round, latencyMs: numberAt(cells[2], "latencyMs", line) };
  });
}

function rowPerArm(lines: readonly CsvLine[]): readonly LongFormRow[] {
  const seen = new Map<string, number>();
  return lines.flatMap(({ cells, line }) => {
    const arm = armAt(cells[0], line);
    const before = seen.get(arm);
    if (before !== undefined) {
      throw broken(
        line,
        `${quoted(arm)} was on line ${before} already; give each arm one row, or use the header arm,round,latencyMs`,
      );
    }
    seen.set(arm, line);
    // Spreadsheets pad short rows with empty cells.
    const last = cells.findLastIndex((cell) => cell !== "");
    if (last < 1) throw broken(line, `${quoted(arm)} has no samples; put nanoseconds after the name`);
    return cells.slice(1, last + 1).map((cell, index) => ({
      arm,
      round: 0,
      latencyMs: numberAt(cell, `column ${index + 2} (nanoseconds)`, line) / nanosecondsPerMs,
    }));
  });
}

/** The samples of a CSV, in order. A header identifies the long form; one row per arm is round 0. Throws `broken-csv`, beginning with the line. */
export function parseSamplesCsv(text: string): readonly LongFormRow[] {
  const lines = linesOf(text);
  const [first, ...rest] = lines;
  if (first === undefined) throw broken(1, "there are no samples");
  const header = first.cells.map((cell) => cell.toLowerCase());
  if (header.every((cell, index) => cell === longFormHeader[index]) && header.length === longFormHeader.length) {
    if (rest.length === 0) throw broken(first.line, "there are no samples below the header");
    return longForm(rest);
  }
  if (header[0] === "arm") {
    throw broken(first.line, `the header is ${quoted(first.cells.join(","))}; write it as arm,round,latencyMs`);
  }
  return rowPerArm(lines);
}
