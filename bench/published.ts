// Published figures and claims, as `reference/*.json` have them: every file the same way, so that another publication is another file.
import { readdirSync, readFileSync } from "node:fs";
import type { PublishedClaim, PublishedFigures, PublishedRow, Scalar } from "@roundtrip/runs";

type Levels = Readonly<Record<string, Scalar>>;

/** Rows of figures in the terms of arms. `figures` is a path such as `table1_bulkMs.facade`. */
interface MappedRows {
  readonly figures: string;
  readonly label: string;
  readonly task: string;
  readonly variant: string;
  readonly style?: string | null;
  readonly factors?: Levels;
  /** The factor whose levels are the keys of the figures, or those at the path `levels`. Absent for a single row. */
  readonly by?: string;
  readonly levels?: string;
  /** Figures are calls per second instead of milliseconds. */
  readonly perSecond?: boolean;
  /** Figures are of this metric of a report, and no milliseconds. */
  readonly metric?: string;
  /** Figures are milliseconds of so many tasks. */
  readonly tasks?: number;
  /** Repetitions behind a mean with its standard deviation. */
  readonly iterations?: number;
  /** The figure is the least or the largest first call. */
  readonly firstCall?: "min" | "max";
  /** Bytes of a task by level, where the source has them. */
  readonly payloadBytes?: Readonly<Record<string, number>>;
  /** Figures are `rows` with `columns`: the column of each factor, and of these figures. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The demands of the model's stations, by the names of its columns. */
  readonly demands?: string;
  /** Calls of each caller behind a mean with its standard deviation. */
  readonly callsPerCaller?: number;
  /** Only the rows with these levels, as printed, and the nearest level here. */
  readonly only?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Factors that are divided here, since calls are shorter by as much. */
  readonly scaled?: Readonly<Record<string, number>>;
}

interface Reference {
  readonly name: string;
  readonly source: string;
  readonly setting: string;
  readonly caveats: readonly string[];
  /** Of its model, each with the columns of its demands. */
  readonly stations?: readonly { readonly name: string; readonly demandMs: string; readonly phaseTwoMs?: string }[];
  /** The studies of `paper:YEAR`. */
  readonly studies: readonly string[];
  readonly tables: readonly { readonly studies: readonly string[]; readonly rows: readonly MappedRows[] }[];
  readonly claims: readonly (PublishedClaim & { readonly studies: readonly string[] })[];
}

/** Null for arms that stand beside a table without a figure in it. */
type Figures = null | number | readonly number[] | { readonly mean: number; readonly stddev: number };

const folder = new URL("reference/", import.meta.url);

function references(): readonly Reference[] {
  return readdirSync(folder)
    .filter((file) => /-\d{4}\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Reference)
    .toSorted((earlier, later) => yearOf(earlier).localeCompare(yearOf(later)));
}

/** The studies of `paper:YEAR`, and all claims. Throws an Error for another year. */
export function referenceOf(year: number): Pick<Reference, "studies" | "claims"> {
  const found = references().find((reference) => yearOf(reference) === String(year));
  if (found === undefined) throw new Error(`there is no publication of ${year}`);
  return found;
}

function yearOf({ name }: Pick<Reference, "name">): string {
  return name.slice(-4);
}

function at(reference: Reference, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], reference);
}

/** The figures of a row in milliseconds per task. */
function millisecondsOf(
  figures: Figures,
  { perSecond = false, tasks = 1, metric }: MappedRows,
): Omit<PublishedRow, keyof Place> {
  if (metric !== undefined && (figures === null || typeof figures === "number"))
    return { meanMs: null, stddevMs: null, counted: { metric, value: figures } };
  const each = (value: number): number => (perSecond ? 1_000 / value : value / tasks);
  if (figures === null) return { meanMs: null, stddevMs: null };
  if (typeof figures === "number") return { meanMs: each(figures), stddevMs: null };
  if ("mean" in figures) return { meanMs: figures.mean, stddevMs: figures.stddev };
  const roundMeansMs = figures.map(each);
  return { meanMs: roundMeansMs.reduce((sum, value) => sum + value, 0) / figures.length, stddevMs: null, roundMeansMs };
}

type Place = Pick<PublishedRow, "label" | "task" | "style" | "variant" | "factors" | "printed" | "firstCall">;

function placeOf(
  { label, task, style = null, variant, factors = {}, scaled = {}, only = {}, firstCall }: MappedRows,
  printed: Levels,
): Place {
  const here = Object.entries(printed).map(([name, value]) => {
    const nearest = only[name]?.[String(value)];
    if (nearest !== undefined) return [name, nearest];
    const times = scaled[name] ?? 1;
    return [name, typeof value === "number" ? Number((value / times).toFixed(2)) : value];
  });
  const place = { label, task, style, variant, printed, factors: { ...factors, ...Object.fromEntries(here) } };
  return firstCall === undefined ? place : { ...place, firstCall };
}

/** The stations of the model, with the demands of one row. */
function stationsOf(reference: Reference, path: string): readonly object[] {
  const [table = ""] = path.split(".");
  const { columns } = at(reference, table) as { readonly columns: readonly string[] };
  const demands = at(reference, path) as readonly number[];
  const demandOf = (column: string): number => demands[columns.indexOf(column)] ?? 0;
  return (reference.stations ?? []).map(({ demandMs, phaseTwoMs, ...station }) => ({
    ...station,
    demandMs: demandOf(demandMs),
    ...(phaseTwoMs === undefined ? {} : { phaseTwoMs: demandOf(phaseTwoMs) }),
  }));
}

function tableRows(
  reference: Reference,
  mapped: MappedRows,
  columns: Readonly<Record<string, string>>,
): readonly PublishedRow[] {
  const table = at(reference, mapped.figures) as {
    readonly columns: readonly string[];
    readonly rows: readonly (readonly (number | null)[])[];
  };
  const { mean = "", stddev = "", predicted, faulty, faultyStddev = "", ...factors } = columns;
  const { only = {}, callsPerCaller } = mapped;
  const stations = mapped.demands === undefined ? undefined : stationsOf(reference, mapped.demands);
  return table.rows.flatMap((row) => {
    const value = (name: string): number | null => row[table.columns.indexOf(name)] ?? null;
    const printed = Object.fromEntries(Object.entries(factors).map(([factor, name]) => [factor, value(name) ?? 0]));
    if (Object.entries(only).some(([name, levels]) => levels[String(printed[name])] === undefined)) return [];
    return {
      ...placeOf(mapped, printed),
      meanMs: value(mean),
      stddevMs: value(stddev),
      ...(predicted === undefined ? {} : { predictedMs: value(predicted) }),
      ...(faulty === undefined ? {} : { faultyMs: value(faulty), faultyStddevMs: value(faultyStddev) }),
      ...(callsPerCaller === undefined ? {} : { iterations: callsPerCaller * (printed["callers"] ?? 1) }),
      ...(stations && {
        network: { population: printed["callers"], thinkMs: printed["thinkMs"], stations },
      }),
    };
  });
}

function rowsOf(reference: Reference, mapped: MappedRows): readonly PublishedRow[] {
  const { by, columns, levels, iterations } = mapped;
  if (columns !== undefined) return tableRows(reference, mapped, columns);
  const figures = at(reference, mapped.figures);
  if (by === undefined) {
    const row = { ...placeOf(mapped, {}), ...millisecondsOf(figures as Figures, mapped) };
    return [{ ...row, ...(iterations === undefined ? {} : { iterations }) }];
  }
  const names = levels === undefined ? Object.keys(figures as object) : (at(reference, levels) as readonly number[]);
  return Object.values(figures as Record<string, Figures>).map((value, index) => {
    const payloadBytes = mapped.payloadBytes?.[names[index] ?? ""];
    return {
      ...placeOf(mapped, { [by]: Number(names[index]) }),
      ...millisecondsOf(value, mapped),
      ...(payloadBytes === undefined ? {} : { payloadBytes }),
    };
  });
}

function figuresFor(study: string, reference: Reference): readonly PublishedFigures[] {
  const { name, source, setting, caveats } = reference;
  const rows = reference.tables
    .filter(({ studies }) => studies.includes(study))
    .flatMap((table) => table.rows.flatMap((mapped) => rowsOf(reference, mapped)));
  const claims = reference.claims.filter(({ studies }) => studies.includes(study));
  return rows.length + claims.length === 0 ? [] : [{ study, name, source, setting, caveats, claims, rows }];
}

/** Findings without figures, each with the test of it. */
function findings(): readonly PublishedFigures[] {
  const all = JSON.parse(readFileSync(new URL("findings.json", folder), "utf8"));
  return (all as readonly Omit<PublishedFigures, "rows">[]).map((of) => ({ ...of, rows: [] }));
}

/** The published figures for a study; empty if the study repeats none. */
export function publishedFor(study: string): readonly PublishedFigures[] {
  return [
    ...references().flatMap((reference) => figuresFor(study, reference)),
    ...findings().filter((figures) => figures.study === study),
  ];
}

/** The studies that repeat each publication, by `paper:YEAR`. @param isFull with all that judge its claims, however long they take */
export function paperGroups(isFull = false): ReadonlyMap<string, readonly string[]> {
  return new Map(
    references().map((reference) => [
      `paper:${yearOf(reference)}`,
      [...new Set([...reference.studies, ...(isFull ? reference.claims.flatMap(({ studies }) => studies) : [])])],
    ]),
  );
}
