// A history file: what is in it stays in it, whoever writes beside, however a program ends, and whatever the file is.
import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { idsFromName } from "@roundtrip/analysis";
import { describe, expect, it } from "vitest";
import { databaseFault } from "../../src/history/database-fault.ts";
import { HistoryFile } from "../../src/history/history-file.ts";
import { latestVersion } from "../../src/history/schema.ts";
import { madeCells, madeRun } from "./made-runs.ts";

const writer = fileURLToPath(new URL("writer-process.ts", import.meta.url));
const everything = { branch: null, last: -1 };
const anyCell = {};

function newPath(): string {
  return join(mkdtempSync(join(tmpdir(), "roundtrip-history-")), "history.db");
}

function fileWith(runs: number): string {
  const path = newPath();
  using history = HistoryFile.forWriting(path);
  for (let index = 0; index < runs; index += 1) history.add(madeRun(index), madeCells(index + 1));
  return path;
}

function* brokenCells() {
  yield* madeCells(1);
  throw new Error("no more");
}

/** Changes a file past the program. */
function edited(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** The words with which opening the file is refused. */
function refusal(path: string, open: (path: string) => HistoryFile = (one) => HistoryFile.forReading(one)): string {
  try {
    using history = open(path);
    history.runs(everything);
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(path, "FILE");
  }
  throw new Error("it was not refused");
}

describe("a history", () => {
  it("gives back what was added, in the order in which it stands in the history", () => {
    const path = newPath();
    using history = HistoryFile.forWriting(path);
    const late = madeRun(1, { at: "2030-01-01T00:00:00.000Z" });
    history.add(late, madeCells(5));
    expect(history.add(madeRun(2), madeCells(7))).toEqual({ isNew: true, run: madeRun(2), runs: 2 });
    expect(history.runs(everything)).toEqual([madeRun(2), late]);
    const cells = history.cells("run-1", { stack: ["rest-express"], metric: ["latencyMs"] });
    expect(cells).toEqual([
      {
        runId: "run-1",
        armId: "hello/hello/rest-express/single",
        study: "hello",
        task: "hello",
        ...idsFromName("rest-express"),
        title: "REST",
        variant: "single",
        factors: { tls: false },
        metric: "latencyMs",
        n: 60,
        mean: 5,
        meanLow: 4.9,
        meanHigh: 5.1,
        stddev: 0.1,
        p50: 5,
        p99: 5,
        roundMeans: [4.9, 5.1, 5, 5, null, 5],
      },
    ]);
    expect(history.cells("run-1", anyCell)).toHaveLength(4);
  });

  it("has a run once, as it was added first", () => {
    using history = HistoryFile.forWriting(fileWith(1));
    const again = history.add(madeRun(0, { revision: "other", branch: "other" }), madeCells(100));
    expect(again).toEqual({ isNew: false, run: madeRun(0), runs: 1 });
    expect(history.cells("run-0", anyCell).map(({ mean }) => mean)).toEqual([1, 0.5, 1, 0.5]);
  });

  it("keeps branches apart", () => {
    using history = HistoryFile.forWriting(fileWith(3));
    history.add(madeRun(9, { branch: "other" }), madeCells(1));
    expect(history.branches()).toEqual(
      new Map([
        ["main", 3],
        ["other", 1],
      ]),
    );
    expect(history.runs({ branch: "main", last: 2 }).map(({ id }) => id)).toEqual(["run-1", "run-2"]);
  });

  it("adds a run whole or not at all", () => {
    const path = fileWith(1);
    using history = HistoryFile.forWriting(path);
    expect(() => history.add(madeRun(1), brokenCells())).toThrow("no more");
    expect(history.runs(everything).map(({ id }) => id)).toEqual(["run-0"]);
    expect(history.add(madeRun(1), madeCells(1)).isNew).toBe(true);
  });

  it("is a single file unless a process is writing", () => {
    const path = fileWith(2);
    expect(statSync(`${path}-journal`, { throwIfNoEntry: false })).toBeUndefined();
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })).toBeUndefined();
  });

  it("takes runs of several processes at once, and loses none", async () => {
    const path = newPath();
    const [writers, runs] = [5, 8];
    const ended = await Promise.all(
      Array.from({ length: writers }, async (_, index) =>
        once(fork(writer, [path, `writer-${index}`, String(runs)]), "exit"),
      ),
    );
    expect(ended.map(([status]) => status as number)).toEqual(Array.from({ length: writers }, () => 0));
    using history = HistoryFile.forReading(path);
    const found = history.runs(everything);
    expect(new Set(found.map(({ id }) => id)).size).toBe(writers * runs);
    for (const { id } of found) expect(history.cells(id, anyCell)).toHaveLength(4);
  });

  it("has whole runs only after a program was killed in the middle of adding one", async () => {
    const path = fileWith(2);
    const before = statSync(path).size;
    const child = fork(writer, [path, "killed", "stop"]);
    await once(child, "message");
    // It had begun to write: its pages are in the file, and the journal that takes them out again is on the disk.
    expect(statSync(path).size).toBeGreaterThan(before);
    expect(statSync(`${path}-journal`).size).toBeGreaterThan(0);
    child.kill("SIGKILL");
    await once(child, "exit");
    using history = HistoryFile.forReading(path);
    expect(history.runs(everything).map(({ id }) => id)).toEqual(["run-0", "run-1"]);
    expect(statSync(path).size).toBe(before);
    expect(history.add(madeRun(2), madeCells(1))).toMatchObject({ isNew: true, runs: 3 });
  });
});

describe("a file that cannot be used", () => {
  it("is not there", () => {
    expect(refusal(newPath())).toBe('there is no history at FILE: "roundtrip history add RUN" begins one');
  });

  it("is a folder", () => {
    const path = newPath();
    mkdirSync(path);
    expect(refusal(path)).toBe("FILE is not a file");
  });

  it("is no database, and stays what it is", () => {
    const path = newPath();
    writeFileSync(path, "a shopping list\n".repeat(100));
    const words = "FILE is not a Roundtrip history: it is no SQLite database; it is left as it is";
    expect([refusal(path), refusal(path, (one) => HistoryFile.forWriting(one))]).toEqual([words, words]);
    expect(readFileSync(path, "utf8")).toBe("a shopping list\n".repeat(100));
  });

  it("is a database of another program, and stays what it is", () => {
    const path = newPath();
    edited(path, "CREATE TABLE runs (id TEXT)");
    const before = readFileSync(path);
    expect(refusal(path, (one) => HistoryFile.forWriting(one))).toBe(
      "FILE is not a Roundtrip history: it is a database of another program; it is left as it is",
    );
    expect(readFileSync(path)).toEqual(before);
  });

  it("is of a version to come, and stays what it is", () => {
    const path = fileWith(1);
    edited(path, "PRAGMA user_version = 99");
    const before = readFileSync(path);
    expect(refusal(path, (one) => HistoryFile.forWriting(one))).toBe(
      `FILE is a history of version 99, and this roundtrip knows versions up to ${latestVersion}: use a newer one`,
    );
    expect(readFileSync(path)).toEqual(before);
  });

  it("is damaged in the middle, or cut off, and stays what it is", () => {
    const path = fileWith(6);
    const whole = readFileSync(path);
    const overwritten = Buffer.from(whole).fill(0xee, 4096 * 3, 4096 * 4);
    writeFileSync(path, overwritten);
    expect(refusal(path, (one) => HistoryFile.forWriting(one))).toMatch(
      /^FILE is damaged \(.*\); it is left as it is: put a copy in its place, or save what can be read: sqlite3 FILE \.recover$/,
    );
    expect(readFileSync(path)).toEqual(overwritten);
    writeFileSync(path, whole);
    const cut = whole.length - 4096;
    truncateSync(path, cut);
    expect(refusal(path)).toMatch(/^FILE is damaged \(/);
    expect(statSync(path).size).toBe(cut);
  });

  it("has been given a trigger, or tables of another form", () => {
    const path = fileWith(1);
    edited(path, "CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END");
    expect(refusal(path)).toMatch(/^FILE is damaged \(its trigger t is not as roundtrip makes it\)/);
    edited(path, "DROP TRIGGER t; DROP TABLE cells");
    expect(refusal(path)).toMatch(/^FILE is damaged \(its table cells is not as roundtrip makes it\)/);
  });

  it("is locked by another process for too long", () => {
    const path = fileWith(1);
    const other = new DatabaseSync(path);
    other.exec("BEGIN EXCLUSIVE");
    const words = "FILE is in use: another process has held it for 0.05 s; try again";
    expect(refusal(path, (one) => HistoryFile.forWriting(one, 50))).toBe(words);
    other.exec("ROLLBACK");
    other.close();
    using history = HistoryFile.forReading(path, 50);
    expect(history.runs(everything)).toHaveLength(1);
  });

  it("is read-only: it can be read and not written", () => {
    const path = fileWith(1);
    // A superuser is refused nothing by the file system.
    const readOnly = new DatabaseSync(path, { readOnly: true });
    const refused = (): void => readOnly.exec("DELETE FROM cells");
    expect(() => {
      try {
        refused();
      } catch (thrown) {
        throw databaseFault(thrown, "FILE", 0);
      }
    }).toThrow("cannot write FILE: it is read-only");
    readOnly.close();
  });
});

describe("a file of version 1", () => {
  it("is brought to the latest version with all that it holds", () => {
    const path = newPath();
    copyFileSync(new URL("version-1.db", import.meta.url), path);
    using history = HistoryFile.forReading(path);
    expect(history.runs(everything)).toEqual([0, 1, 2].map((index) => madeRun(index, { isDirty: null })));
    expect(history.add(madeRun(3, { isDirty: true }), madeCells(4)).run.isDirty).toBe(true);
    const cells = history.cells("run-2", { metric: ["latencyMs"] });
    expect(cells.map(({ mean }) => mean)).toEqual([3, 3]);
    expect(history.cells("run-3", { metric: ["latencyMs"] })).toMatchObject([
      idsFromName("grpc-js"),
      idsFromName("rest-express"),
    ]);
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: latestVersion });
    database.close();
  });
});
