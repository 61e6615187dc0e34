// Reads the requests of a log: line by line, or a whole file of JSON or of recorded stubs. The form is recognised by the content.
import { textFrom } from "@roundtrip/contract/text";
import type { Contract } from "@roundtrip/contract";
import { parseStubs } from "@roundtrip/fakes";
import type { JsonValue } from "@bufbuild/protobuf";
import { fileFault } from "@roundtrip/runs/files";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { CliError } from "../basics/cli-error.ts";
import type { LogEntry } from "./log-entry.ts";
import { harEntries, jsonEntry, logLine, type FieldMap } from "./log-formats.ts";

const logLimits = {
  /** A longer line is skipped. */
  lineCharacters: 1024 * 1024,
  /** Of files that are read whole: HAR, the log of a fake, recordings. */
  wholeFileBytes: 256 * 1024 * 1024,
  /** Unpacked, of files that are read by line. */
  fileBytes: 64 * 1024 ** 3,
} as const;

/** What reading a log has found so far. */
export interface ReadCounts {
  /** Of a file of JSON, its items. */
  lines: number;
  /** Lines that are no requests. */
  otherLines: number;
  /** Lines beyond the limit. */
  longLines: number;
}

function unreadable(path: string, why: string, cause?: unknown): CliError {
  return new CliError("usage", `cannot read the log ${path}: ${why}`, { cause });
}

/** The first characters of a file, unpacked; and whether it is packed. */
async function beginningOf(path: string): Promise<{ readonly text: string; readonly isPacked: boolean }> {
  await using file = await open(path, "r");
  if (!(await file.stat()).isFile()) throw unreadable(path, "it is not a file");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4_096), 0, 4_096, 0);
  const isPacked = bytesRead > 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  const read = buffer.subarray(0, bytesRead);
  // The rest of a packed file is missing, which is no error here.
  const beginning = isPacked ? gunzipSync(read, { finishFlush: constants.Z_SYNC_FLUSH }) : read;
  return { text: textFrom(beginning), isPacked };
}

type WholeForm = "json" | "stubs";

/** The form of a file that is read whole; undefined for lines. */
function wholeForm(path: string, text: string): WholeForm | undefined {
  if (/\.har$/i.test(path) || /^\s*(?:\{\s*"log"\s*:\s*\{|\[\s*[{\]])/.test(text)) return "json";
  if (/\.ya?ml$/i.test(path) || /^(?:#[^\n]*\n|---[^\n]*\n|\s)*(?:- )?operation:/.test(text)) return "stubs";
  return undefined;
}

async function* piecesOf(path: string, isPacked: boolean): AsyncGenerator<Buffer> {
  const raw = createReadStream(path);
  const pieces = isPacked ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => pieces.destroy(error));
  let bytes = 0;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > logLimits.fileBytes) throw unreadable(path, `it is larger than ${logLimits.fileBytes} bytes`);
    yield piece;
  }
}

async function wholeText(path: string, isPacked: boolean): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(path, isPacked)) {
    bytes += piece.length;
    if (bytes > logLimits.wholeFileBytes) {
      throw unreadable(
        path,
        `it is larger than ${logLimits.wholeFileBytes / 1024 ** 2} MB, and this form is read whole`,
      );
    }
    pieces.push(piece);
  }
  return textFrom(Buffer.concat(pieces));
}

async function* linesOf(path: string, isPacked: boolean, counts: ReadCounts): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let isTooLong = false;
  for await (const piece of piecesOf(path, isPacked)) {
    const lines = (rest + decoder.write(piece)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!isTooLong && line.length <= logLimits.lineCharacters) yield line;
      else counts.longLines += 1;
      isTooLong = false;
    }
    // The rest of a line that is too long is not kept.
    if (rest.length > logLimits.lineCharacters) [rest, isTooLong] = ["", true];
  }
  if (isTooLong) counts.longLines += 1;
  else if (rest !== "") yield rest;
}

/** Undefined for each item that is no request. */
function entriesOfJson(text: string, path: string, fields: FieldMap): readonly (LogEntry | undefined)[] {
  let json: JsonValue;
  try {
    json = JSON.parse(text) as JsonValue;
  } catch (cause) {
    throw unreadable(path, `it is no JSON: ${(cause as Error).message}`, cause);
  }
  const entries = harEntries(json) ?? (Array.isArray(json) ? json.map((item) => jsonEntry(item, fields)) : undefined);
  if (entries === undefined) throw unreadable(path, "its JSON is neither a HAR file nor a list of requests");
  return entries;
}

/** A recording has no times. */
function entriesOfStubs(text: string, path: string, contract: Contract): readonly LogEntry[] {
  return parseStubs(text, path, contract).map(({ operation, when = {}, answers, error, responses }) => ({
    kind: "call",
    atMs: Number.NaN,
    operation,
    request: when,
    isAnswered: (answers ?? [{ error, responses }]).some(
      (answer) => answer.error === undefined || answer.responses !== undefined,
    ),
    lacksSecrets: true,
  }));
}

/** How to read logs. */
export interface LogOptions {
  readonly contract: Contract;
  /** The members of JSON lines. */
  readonly fields: FieldMap;
  /** What was found, which grows while logs are read. */
  readonly counts: ReadCounts;
}

/** The requests of a log, in its order. Rejects with a CliError for an unreadable file. */
export async function* logEntries(path: string, { contract, fields, counts }: LogOptions): AsyncGenerator<LogEntry> {
  try {
    const { text, isPacked } = await beginningOf(path);
    const form = wholeForm(path.replace(/\.gz$/i, ""), text);
    if (form === "json") {
      for (const entry of entriesOfJson(await wholeText(path, isPacked), path, fields)) {
        counts.lines += 1;
        if (entry === undefined) counts.otherLines += 1;
        else yield entry;
      }
    } else if (form === "stubs") yield* entriesOfStubs(await wholeText(path, isPacked), path, contract);
    if (form !== undefined) return;
    for await (const line of linesOf(path, isPacked, counts)) {
      counts.lines += 1;
      const entry = logLine(line, fields);
      if (entry !== undefined) yield entry;
      else if (line.trim() !== "") counts.otherLines += 1;
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined || thrown instanceof CliError) throw thrown;
    throw unreadable(path, fileFault(thrown), thrown);
  }
}
