// Opens a history file: checks that it is one, intact and of a known version, and migrates older versions.
import { makeDirectory } from "@roundtrip/runner";
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CliError } from "../basics/cli-error.ts";
import { damaged, databaseFault, notAHistory } from "./database-fault.ts";
import { applicationId, bringUpToDate, definitionsOf, latestDefinitions, latestVersion } from "./schema.ts";

export interface OpenOptions {
  readonly make: boolean;
  /** How long to wait for another writer, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/** Runs work as one exclusive transaction: all of it is stored, or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (thrown) {
    // Some errors have already rolled back.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw thrown;
  }
}

function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function isEmpty(database: DatabaseSync): boolean {
  const isUnmarked = ["user_version", "application_id"].every((name) => pragma(database, name) === 0);
  return isUnmarked && definitionsOf(database).size === 0;
}

/** The file's version; 0 for an empty file. Throws a CliError for a file that is no history, or of a newer version. */
function knownVersion(database: DatabaseSync, path: string): number {
  if (isEmpty(database)) return 0;
  if (pragma(database, "application_id") !== applicationId) {
    throw notAHistory(path, "it is a database of another program");
  }
  const version = Number(pragma(database, "user_version"));
  if (version > latestVersion) {
    throw new CliError(
      "usage",
      `${path} is a history of version ${version}, and this roundtrip knows versions up to ${latestVersion}: use a newer one`,
    );
  }
  return version;
}

/** Refuses foreign triggers and views, which could run code, and changed tables, which could accept invalid rows. */
function requireOwnDefinitions(database: DatabaseSync, path: string): void {
  const [own, found] = [latestDefinitions(), definitionsOf(database)];
  const odd = [...new Set([...own.keys(), ...found.keys()])].find((name) => own.get(name) !== found.get(name));
  if (odd !== undefined) throw damaged(path, `its ${odd} is not as roundtrip makes it`);
}

function requireWhole(database: DatabaseSync, path: string): void {
  const found = pragma(database, "integrity_check(1)");
  if (found !== "ok") throw damaged(path, String(found).replaceAll(/\s+/g, " "));
}

function requirePlace(path: string, make: boolean): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) throw new CliError("usage", `${path} is not a file`);
  if (make) makeDirectory(dirname(path));
  else if (found === undefined || found.size === 0) {
    throw new CliError("usage", `there is no history at ${path}: "roundtrip history add RUN" begins one`);
  }
}

/** Opens the file. Throws a CliError: `usage` if it is not a history, `unavailable` if it cannot be used now. */
export function openDatabase(path: string, { make, busyTimeoutMs }: OpenOptions): DatabaseSync {
  requirePlace(path, make);
  let database: DatabaseSync | undefined;
  try {
    // A resolved path never selects an in-memory database.
    database = new DatabaseSync(resolve(path), { timeout: busyTimeoutMs });
    // Runs no code from the file, and syncs commits to the disk, the journal's deletion included.
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA synchronous = EXTRA");
    const opened = database;
    const version = knownVersion(opened, path);
    requireWhole(opened, path);
    if (version < latestVersion) {
      // Another process may have migrated it meanwhile.
      inTransaction(opened, () => bringUpToDate(opened, knownVersion(opened, path)));
    }
    requireOwnDefinitions(opened, path);
    return opened;
  } catch (thrown) {
    database?.close();
    throw databaseFault(thrown, path, busyTimeoutMs);
  }
}
