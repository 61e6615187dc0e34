// The schema of a history file, by version. Released steps never change; new ones are appended.
import { DatabaseSync } from "node:sqlite";

/** Identifies history files: "RTHi" in the header, which `file` and SQLite's tools show. */
export const applicationId = 0x52_54_48_69;

const version1 = `
CREATE TABLE runs (
  id TEXT NOT NULL PRIMARY KEY,
  startedAt TEXT NOT NULL,
  at TEXT NOT NULL,
  revision TEXT NOT NULL,
  branch TEXT NOT NULL,
  status TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  tool TEXT NOT NULL,
  cpuModel TEXT NOT NULL,
  cores INTEGER NOT NULL,
  kernel TEXT NOT NULL,
  runtime TEXT NOT NULL,
  link TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE arms (
  arm INTEGER PRIMARY KEY,
  armId TEXT NOT NULL UNIQUE,
  study TEXT NOT NULL,
  task TEXT NOT NULL,
  stack TEXT NOT NULL,
  title TEXT NOT NULL,
  variant TEXT NOT NULL,
  factors TEXT NOT NULL CHECK (json_valid(factors))
) STRICT;

CREATE TABLE cells (
  run TEXT NOT NULL REFERENCES runs (id),
  arm INTEGER NOT NULL REFERENCES arms (arm),
  metric TEXT NOT NULL,
  n INTEGER NOT NULL,
  mean REAL NOT NULL,
  meanLow REAL,
  meanHigh REAL,
  stddev REAL NOT NULL,
  p50 REAL NOT NULL,
  p99 REAL,
  roundMeans TEXT NOT NULL CHECK (json_valid(roundMeans)),
  PRIMARY KEY (run, arm, metric)
) STRICT, WITHOUT ROWID;
`;

/** Whether the work tree differed from the revision; null for older runs. */
const version2 = `
ALTER TABLE runs ADD COLUMN isDirty INTEGER CHECK (isDirty IN (0, 1));
`;

/** The parts of stacks; null for arms that only older runs have. */
const version3 = `
ALTER TABLE arms ADD COLUMN style TEXT;
ALTER TABLE arms ADD COLUMN server TEXT;
ALTER TABLE arms ADD COLUMN client TEXT;
`;

/** Step n migrates version n to version n + 1. */
const steps: readonly string[] = [version1, version2, version3];

export const latestVersion: number = steps.length;

export function bringUpToDate(database: DatabaseSync, version: number): void {
  for (const step of steps.slice(version)) database.exec(step);
  database.exec(`PRAGMA application_id = ${applicationId}`);
  database.exec(`PRAGMA user_version = ${latestVersion}`);
}

/** The definitions of all tables, views and triggers, by name. */
export function definitionsOf(database: DatabaseSync): ReadonlyMap<string, string> {
  const rows = database
    .prepare("SELECT type || ' ' || name AS name, sql FROM sqlite_schema WHERE type <> 'index' ORDER BY type, name")
    .all();
  return new Map(rows.map(({ name, sql }) => [String(name), String(sql)]));
}

/** The result of {@link definitionsOf} for a new file. */
export function latestDefinitions(): ReadonlyMap<string, string> {
  const database = new DatabaseSync(":memory:");
  try {
    bringUpToDate(database, 0);
    return definitionsOf(database);
  } finally {
    database.close();
  }
}
