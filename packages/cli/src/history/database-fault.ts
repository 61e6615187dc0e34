// Converts SQLite errors of a history file to one line with what to do.
import { CliError } from "../basics/cli-error.ts";

/** Primary result codes: https://sqlite.org/rescode.html. */
const codes = {
  permission: 3,
  busy: 5,
  locked: 6,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

const untouched = "it is left as it is";

/** The error for a damaged file, which is never written to. */
export function damaged(path: string, how: string, cause?: unknown): CliError {
  const next = `put a copy in its place, or save what can be read: sqlite3 ${path} .recover`;
  return new CliError("unavailable", `${path} is damaged (${how}); ${untouched}: ${next}`, { cause });
}

export function notAHistory(path: string, why: string, cause?: unknown): CliError {
  return new CliError("usage", `${path} is not a Roundtrip history: ${why}; ${untouched}`, { cause });
}

interface SqliteFailure {
  readonly errcode: number;
  readonly errstr: string;
  readonly message: string;
}

function isSqliteFailure(thrown: unknown): thrown is SqliteFailure {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number";
}

/** Converts an SQLite failure to a CliError; returns other errors unchanged. @param waitedMs how long it waited for another process. */
export function databaseFault(thrown: unknown, path: string, waitedMs: number): unknown {
  if (!isSqliteFailure(thrown)) return thrown;
  const unavailable = (message: string): CliError => new CliError("unavailable", message, { cause: thrown });
  // The lowest byte is the primary code; the others only refine it.
  switch (thrown.errcode & 0xff) {
    case codes.busy:
    case codes.locked:
      return unavailable(`${path} is in use: another process has held it for ${waitedMs / 1000} s; try again`);
    case codes.readOnly:
    case codes.permission:
      return unavailable(`cannot write ${path}: it is read-only`);
    case codes.cannotOpen:
      return unavailable(`cannot open ${path}: it, or the folder that it is in, cannot be read and written`);
    case codes.full:
      return unavailable(`cannot write ${path}: no space is left; nothing was changed`);
    case codes.inputOutput:
      return unavailable(`cannot use ${path}: ${thrown.errstr}; nothing was changed`);
    case codes.corrupt:
      return damaged(path, thrown.message, thrown);
    case codes.notADatabase:
      return notAHistory(path, "it is no SQLite database", thrown);
    default:
      return thrown;
  }
}
