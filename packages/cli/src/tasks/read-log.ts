// Reads the requests of a log: line by line, or a whole file of JSON or of recorded stubs. The form is recognised by the content.
import { FileRefusal, openRegularFile, regularFileStream } from "@roundtrip/contract/files";
import { textFrom } from "@roundtrip/contract/text";
import type { Contract } from "@roundtrip/contract";
import { parseStubs } from "@roundtrip/fakes";
import type { JsonValue } from "@bufbuild/protobuf";
import { fileFault } from "@roundtrip/runs/files";
import { closeSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { CliError } from "../basics/cli-error.ts";
import type { LogEntry } from "./log-entry.ts";
import { harEntries, jsonEntry, logLine, type FieldMap } from "./log-formats.ts";

const logLimits = {
  /** A longer line is skipped. */
  lineCharacters: 1024 * 1024,
  /** A file with a longer line is refused. */
  mostLineCharacters: 256 * 1024 * 1024,
  /** Of files that are read whole: HAR, the log of a fake, recordings. */
  wholeFileBytes: 256 * 1024 * 1024,
  /** Of a packed file that unpacks to more than `unpackedBytes`. Logs do so to a tenth or a fiftieth. */
  packing: 400,
  unpackedBytes: 64 * 1024 * 1024,
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

const beginningBytes = 4_096;

/** The first characters of a file, unpacked; and whether it is packed. */
function beginningOf(path: string): { readonly text: string; readonly isPacked: boolean } {
  const file = openRegularFile(path);
  const buffer = Buffer.alloc(beginningBytes);
  const read = buffer.subarray(0, readSync(file, buffer));
  closeSync(file);
  const isPacked = read.length > 2 && read[0] === 0x1f && read[1] === 0x8b;
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
  const raw = regularFileStream(path);
  const pieces = isPacked ? raw.pipe(createGunzip()) : raw;
  raw.on("error", (error) => pieces.destroy(error));
  let bytes = 0;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > logLimits.fileBytes) throw unreadable(path, `it is larger than ${logLimits.fileBytes} bytes`);
    if (bytes > logLimits.unpackedBytes && bytes > logLimits.packing * raw.bytesRead) {
      throw unreadable(path, `it unpacks to more than ${logLimits.packing} times its size`);
    }
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
  let line = "";
  let characters = 0;
  for await (const piece of piecesOf(path, isPacked)) {
    for (const [index, part] of decoder.write(piece).split("\n").entries()) {
      if (index > 0) {
        if (characters === 0) counts.lines += 1;
        else if (characters <= logLimits.lineCharacters) yield line;
        else counts.longLines += 1;
        [line, characters] = ["", 0];
      }
      characters += part.length;
      // Appended without being read, so that a long line is copied once. What is too long is not kept.
      line = characters > logLimits.lineCharacters ? "" : line + part;
    }
    if (characters > logLimits.mostLineCharacters) {
      const mebibytes = logLimits.mostLineCharacters / 1024 ** 2;
      throw unreadable(path, `a line has more than ${mebibytes} MiB, so it is not a log`);
    }
  }
  if (characters > logLimits.lineCharacters) counts.longLines += 1;
  else if (line !== "") yield line;
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
    const { text, isPacked } = beginningOf(path);
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
    const isFault = thrown instanceof FileRefusal || (thrown as NodeJS.ErrnoException).code !== undefined;
    throw isFault && !(thrown instanceof CliError) ? unreadable(path, fileFault(thrown), thrown) : thrown;
  }
}
