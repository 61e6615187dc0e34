// A history file. Runs are added whole or not at all, even with concurrent writers or a killed program.
import type { HistoryRecordCell } from "@roundtrip/analysis";
import type { DatabaseSync } from "node:sqlite";
import { foundSelectors, storedSelectors, type CellFilter } from "./cell-filter.ts";
import { databaseFault } from "./database-fault.ts";
import type { HistoryCell, HistoryRun } from "./history-run.ts";
import { inTransaction, openDatabase, type OpenOptions } from "./open-database.ts";
import { armParameters, cellFrom, cellParameters, columns, runFrom, runParameters } from "./rows.ts";

/** How long to wait for another writer, which needs milliseconds for a whole run. */
const usualBusyTimeoutMs = 10_000;

export interface RunFilter {
  /** Null for all branches. */
  readonly branch: string | null;
  readonly last: number;
}

export interface Added {
  /** False if the run was in the file already; then nothing changed. */
  readonly isNew: boolean;
  readonly run: HistoryRun;
  readonly runs: number;
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((name) => `:${name}`).join(", ")})`;
}

const insertRun = `${insertInto("runs", ["id", ...columns.run])} ON CONFLICT DO NOTHING`;

// The title and parts of an arm may change with a new version of its stack: the newest are kept.
const insertArm = `${insertInto("arms", columns.arm)}
  ON CONFLICT (armId) DO UPDATE
  SET title = excluded.title, style = excluded.style, server = excluded.server, client = excluded.client
  RETURNING arm`;

const insertCell = insertInto("cells", ["run", "arm", ...columns.figures]);

const lastRuns = `
  SELECT * FROM runs WHERE (:branch IS NULL OR branch = :branch)
  ORDER BY at DESC, startedAt DESC, id DESC LIMIT :last`;

const isAmong = (column: string): string =>
  `(:${column} IS NULL OR ${column} IN (SELECT value FROM json_each(:${column})))`;

const someCells = `
  SELECT run, ${[...columns.arm, ...columns.figures].join(", ")} FROM cells JOIN arms USING (arm)
  WHERE run = :run AND ${storedSelectors.map(isAmong).join(" AND ")}
  ORDER BY arm, metric`;

export class HistoryFile implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #busyTimeoutMs: number;

  private constructor(path: string, options: OpenOptions) {
    this.path = path;
    this.#busyTimeoutMs = options.busyTimeoutMs;
    this.#database = openDatabase(path, options);
  }

  /** Opens for writing, and creates a missing file. Throws the CliErrors of {@link databaseFault}, as all methods do. */
  static forWriting(path: string, busyTimeoutMs = usualBusyTimeoutMs): HistoryFile {
    return new HistoryFile(path, { make: true, busyTimeoutMs });
  }

  static forReading(path: string, busyTimeoutMs = usualBusyTimeoutMs): HistoryFile {
    return new HistoryFile(path, { make: false, busyTimeoutMs });
  }

  /** Adds a run with its figures, unless the file has it. */
  add(run: HistoryRun, cells: Iterable<HistoryRecordCell>): Added {
    return this.#asked((database) =>
      inTransaction(database, () => {
        const { changes } = database.prepare(insertRun).run(runParameters(run));
        if (changes !== 0) this.#addCells(run.id, cells);
        const kept = database.prepare("SELECT * FROM runs WHERE id = ?").get(run.id);
        const count = database.prepare("SELECT count(*) AS runs FROM runs").get();
        return { isNew: changes !== 0, run: runFrom(kept ?? {}), runs: Number(count?.["runs"]) };
      }),
    );
  }

  /** In history order. */
  runs({ branch, last }: RunFilter): readonly HistoryRun[] {
    return this.#asked((database) => database.prepare(lastRuns).all({ branch, last }).map(runFrom).toReversed());
  }

  branches(): ReadonlyMap<string, number> {
    const query = "SELECT branch, count(*) AS runs FROM runs GROUP BY branch ORDER BY runs DESC, branch";
    return this.#asked(
      (database) =>
        new Map(
          database
            .prepare(query)
            .all()
            .map(({ branch, runs }) => [String(branch), Number(runs)]),
        ),
    );
  }

  /** The figures of one run, in arm order. */
  cells(runId: string, filter: CellFilter): readonly HistoryCell[] {
    const parameters = Object.fromEntries(
      storedSelectors.map((name) => [name, filter[name] === undefined ? null : JSON.stringify(filter[name])]),
    );
    return this.#asked((database) =>
      database
        .prepare(someCells)
        .all({ run: runId, ...parameters })
        .map(cellFrom)
        .filter((cell) => foundSelectors.every((name) => filter[name]?.includes(cell[name]) ?? true)),
    );
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #addCells(runId: string, cells: Iterable<HistoryRecordCell>): void {
    const [arm, cell] = [this.#database.prepare(insertArm), this.#database.prepare(insertCell)];
    const arms = new Map<string, number>();
    for (const one of cells) {
      const known = arms.get(one.arm.id) ?? Number(arm.get(armParameters(one))?.["arm"]);
      arms.set(one.arm.id, known);
      cell.run(cellParameters(runId, known, one));
    }
  }

  #asked<T>(work: (database: DatabaseSync) => T): T {
    try {
      return work(this.#database);
    } catch (thrown) {
      throw databaseFault(thrown, this.path, this.#busyTimeoutMs);
    }
  }
}
