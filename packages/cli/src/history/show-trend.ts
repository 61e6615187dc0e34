// Trends of a branch: tables on the terminal or JSON, and a plot on request.
import { trendDefaults, trendOf, type Trend } from "@roundtrip/analysis";
import { inks, textTable } from "@roundtrip/report/text-table";
import {
  mostPanels,
  renderTrends,
  trendBreaksTable,
  trendChangesTable,
  trendTable,
  type TrendSeries,
} from "@roundtrip/report/trends";
import { CliError } from "../basics/cli-error.ts";
import { writeOutput } from "../output/output-file.ts";
import { page } from "../output/page.ts";
import { cellSelectors } from "./cell-filter.ts";
import type { HistoryFile } from "./history-file.ts";
import type { HistoryFlags } from "./history-flags.ts";
import type { HistoryCell, HistoryRun } from "./history-run.ts";
import { runsOfBranch } from "./selected-runs.ts";

/** The workdays of a year. */
const usualLast = 250;

/** The metrics that show code changes best; others on request. */
const usualMetrics = ["latencyMs", "serverCpuMsPerTask"];

interface Series extends TrendSeries {
  readonly armId: string;
}

interface Measured {
  readonly run: HistoryRun;
  readonly cell: HistoryCell;
}

function trendOfCells(measured: readonly Measured[]): Trend {
  return trendOf(
    measured.map(({ run, cell }) => ({
      runId: run.id,
      revision: run.revision,
      at: run.at,
      environment: run.environment,
      mean: cell.mean,
      low: cell.meanLow,
      high: cell.meanHigh,
    })),
  );
}

function seriesOf(history: HistoryFile, runs: readonly HistoryRun[], flags: HistoryFlags): readonly Series[] {
  const filter = { ...flags, metric: flags.metric ?? usualMetrics };
  const cells = runs.flatMap((run) => history.cells(run.id, filter).map((cell): Measured => ({ run, cell })));
  const groups = Map.groupBy(cells, ({ cell }) => `${cell.armId} ${cell.metric}`);
  const series = [...groups.values()].flatMap((measured): readonly Series[] => {
    const cell = measured.at(-1)?.cell;
    return cell === undefined
      ? []
      : [{ armId: cell.armId, arm: cell, metric: cell.metric, trend: trendOfCells(measured) }];
  });
  if (series.length > 0) return series;
  const given = cellSelectors.filter((name) => name === "metric" || flags[name] !== undefined);
  throw new CliError("usage", `no run has figures that match ${given.map((name) => `--${name}`).join(" and ")}`);
}

/** States how many of the shown changes are expected to be false. */
function noteFor(series: readonly Series[]): string {
  const expected = Number((series.length * trendDefaults.significance).toPrecision(2));
  return (
    `p: how often runs in random order show as clear a change. ` +
    `Where nothing changed at all, ${series.length} series would show ${expected} by chance.`
  );
}

function documentOf(file: string, branch: string, series: readonly Series[]): Readonly<Record<string, unknown>> {
  return {
    file,
    branch,
    method: { name: "E-divisive", ...trendDefaults },
    series: series.map(({ armId, metric, trend }) => ({ armId, metric, ...trend })),
  };
}

function textOf(series: readonly Series[], runs: readonly HistoryRun[], branch: string): string {
  const { columns, colour } = page();
  const tables = [
    trendTable(series, `${branch}: ${runs.length} runs`),
    trendChangesTable(series, noteFor(series)),
    trendBreaksTable(series),
  ];
  const shown = tables.flatMap((table) => (table === null ? [] : [textTable(table, columns, inks(colour)).join("\n")]));
  return shown.join("\n\n");
}

function pictureNote(count: number): string {
  return count <= mostPanels ? "" : ` (${mostPanels} of ${count} series, those with changes first)`;
}

/** Writes the plot, and returns the text for standard output. Rejects with a CliError. */
export async function showTrend(history: HistoryFile, flags: HistoryFlags): Promise<string> {
  const runs = runsOfBranch(history, flags.branch, flags.last ?? usualLast);
  const branch = runs[0]?.branch ?? "";
  const series = seriesOf(history, runs, flags);
  const { out, json } = flags;
  if (out !== undefined) {
    const runIds = runs.map(({ id }) => id);
    await writeOutput(out, renderTrends(series, runIds, `Trends of ${branch} over ${runs.length} runs`).svg);
  }
  if (json) {
    const document = documentOf(history.path, branch, series);
    return `${JSON.stringify(out === undefined ? document : { ...document, written: [out] }, null, 2)}\n`;
  }
  const written = out === undefined ? "" : `\n\n${out}${pictureNote(series.length)}`;
  return `${textOf(series, runs, branch)}${written}\n`;
}
