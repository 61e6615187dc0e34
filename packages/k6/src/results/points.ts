// Reads k6's JSON output: its lines, the points in them, and the values of a point.
import { isObject } from "@roundtrip/contract";
import { regularFileStream } from "@roundtrip/contract/files";
import type { K6Plan } from "../plan/k6-plan.ts";
import type { CallTable } from "./call-table.ts";
import { fileFault } from "@roundtrip/runs/files";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import { createGunzip } from "node:zlib";
import { K6Error } from "../basics/k6-error.ts";

/** Texts in results are short. */
const mostShown = 60;

/** Its first characters, with a question mark for each character that is not printable ASCII, because terminals interpret some of them. */
export function plainText(text: string): string {
  return text.slice(0, mostShown).replaceAll(/[^\u0020-\u007E]/g, "?");
}

export interface Point {
  readonly metric: string;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Metrics of the script, and k6's own counts of bytes. */
const wanted = /^\{"metric":"(?:roundtrip_|data_)/;

/**
 * Whether a line must be parsed: ten of eleven lines are samples of k6's own metrics, and parsing them would take most of the time. Lines with members
 * in another order than k6's are always parsed, and so is a line that begins like a sample and does not end like one, because it was cut off.
 */
export function isWanted(text: string): boolean {
  return wanted.test(text) || !text.startsWith('{"metric":"') || !text.endsWith("}}}");
}

/** The text members of a sample's tags or metadata; empty if there are none. Throws a SyntaxError for other members. */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (isObject(value) && Object.values(value).every((one) => typeof one === "string")) return value as Point["tags"];
  throw new SyntaxError("a tag of the sample is not a text");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The parser's message would show the content of the file.
    throw new SyntaxError("the line is not JSON: it is cut off, or another line was written into it", { cause });
  }
}

/** The sample of a line; undefined for a line that describes a metric. Throws a SyntaxError for any other. */
export function pointOf(text: string): Point | undefined {
  const line = jsonOf(text);
  if (!isObject(line) || !isObject(line["data"])) throw new SyntaxError("it is not a line of k6's JSON output");
  if (line["type"] !== "Point") return undefined;
  const { metric } = line;
  const { value, tags, metadata } = line["data"];
  if (typeof metric !== "string" || typeof value !== "number")
    throw new SyntaxError("the sample has no metric or no value");
  return {
    metric,
    value,
    tags: textsIn(tags),
    metadata: textsIn(metadata),
  };
}

/** Canonical codes, and the runner's codes for calls that were not sent. */
const outcomeForm = /^[A-Z][A-Z_]{1,31}$/;

/** A day: no measurement takes longer. */
const mostMs = 86_400_000;

function quoted(text: string | undefined): string {
  return text === undefined ? "nothing" : `"${plainText(text)}"`;
}

function wholeNumber(text: string | undefined, below: number, what: string): number {
  const number = text === undefined || !/^\d{1,9}$/.test(text) ? Number.NaN : Number(text);
  if (number < below) return number;
  throw new SyntaxError(`${quoted(text)} is not a ${what} of the cell`);
}

/** @param text undefined if the point does not have it */
function moment(text: string | undefined, what: string): number {
  const ms = text === undefined || text === "" ? Number.NaN : Number(text);
  if (Math.abs(ms) <= mostMs) return ms;
  throw new SyntaxError(`a call without a time: ${quoted(text)} is not a ${what}`);
}

function momentOrNone(text: string | undefined, what: string): number {
  return text === undefined ? Number.NaN : moment(text, what);
}

export class PointReader {
  readonly #plan: K6Plan;
  readonly #table: CallTable;
  readonly #instance: number;
  readonly #cells: ReadonlyMap<string, number>;

  /** @param instance its index among those of the round. */
  constructor(plan: K6Plan, table: CallTable, instance: number) {
    this.#plan = plan;
    this.#table = table;
    this.#instance = instance;
    this.#cells = new Map(plan.cells.map(({ name }, index) => [name, index]));
  }

  /** Adds a point that belongs to a cell and ignores others. Throws a SyntaxError for an invalid call. */
  take(point: Point): void {
    const { metric, value, tags, metadata } = point;
    const { scenario = "" } = tags;
    const cell = this.#cells.get(scenario);
    if (metric === "roundtrip_call") {
      if (cell === undefined) throw new SyntaxError(`the plan has no cell ${quoted(scenario)}`);
      this.#takeCall(point, cell);
      return;
    }
    const sums = cell === undefined ? undefined : this.#table.sums[cell];
    // k6 reports bytes by iteration. The tag `tasks` says how many tasks they belong to; 0 if they include opening a connection.
    const { tasks = "1" } = metadata;
    if (sums === undefined || tasks === "0") return;
    if (metric === "data_sent") {
      sums.bytesSent += value;
      sums.countedTasks += wholeNumber(tasks, 3, "number of tasks");
    } else if (metric === "data_received") sums.bytesReceived += value;
  }

  #takeCall({ value, tags, metadata }: Point, cell: number): void {
    const { outcome = "" } = tags;
    if (!outcomeForm.test(outcome)) throw new SyntaxError(`${quoted(outcome)} is not an outcome of a call`);
    if (!(value >= 0 && value <= mostMs)) throw new SyntaxError(`a call cannot have taken ${value} ms`);
    this.#table.note({
      cell,
      task: wholeNumber(metadata["task"], this.#plan.cells[cell]?.tasks ?? 0, "task"),
      step: wholeNumber(metadata["step"], this.#table.steps[cell] ?? 0, "step"),
      atMs: moment(metadata["at"], "moment"),
      dueMs: momentOrNone(metadata["due"], "moment"),
      durationMs: value,
      outcome,
      instance: this.#instance,
      opened: metadata["opened"] === "1",
      queueMs: momentOrNone(metadata["queue"], "time"),
      serviceMs: momentOrNone(metadata["service"], "time"),
    });
  }
}

/** k6's lines have some hundred characters. */
const mostLine = 65_536;

/** How a file ended. A complete file ends with a line feed. */
export interface FileEnd {
  readonly isCut: boolean;
  /** The number of the last line, whole or not. */
  readonly line: number;
}

/** Reads all complete lines of a file, from 1; `.gz` is unpacked. Rejects with a K6Error `unreadable`, and with what `onLine` throws. */
export async function eachLine(path: string, onLine: (text: string, line: number) => void): Promise<FileEnd> {
  const decoder = new StringDecoder();
  let rest = "";
  let line = 0;
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.write(chunk)).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) onLine(text, (line += 1));
      if (rest.length > mostLine) {
        throw new K6Error("unreadable", `${path}:${line + 1}: the line is too long for the output of k6`);
      }
    }
  };
  try {
    const file = regularFileStream(path);
    await (path.endsWith(".gz") ? pipeline(file, createGunzip(), take) : pipeline(file, take));
  } catch (cause) {
    if (cause instanceof K6Error) throw cause;
    // The program that compressed it was killed. Everything before that has been read.
    if ((cause as NodeJS.ErrnoException).code === "Z_BUF_ERROR") return { isCut: true, line: line + 1 };
    throw new K6Error("unreadable", `cannot read ${path}: ${fileFault(cause)}`, { cause });
  }
  const isCut = rest !== "";
  return { isCut, line: isCut ? line + 1 : line };
}
