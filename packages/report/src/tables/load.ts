// Response time at each arrival rate beside the predictions of queueing models from the measured server demand.
import type { StudyTable, TableExtent } from "../view/run-view.ts";
import { quantile, sortedCopy } from "@roundtrip/analysis/statistics";
import type { LoadPoint, LoadSeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { duration, interval, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import {
  figureColumns,
  measuredRow,
  slug,
  withoutEmptyColumns,
  type NamedTable,
  type TableRow,
  type Table,
} from "../basics/table.ts";
import { lateTailNote, voidMarked, voidText } from "../view/marks.ts";
import { loadedTasks, rateName, seriesId, seriesTitle } from "../rows/load-rows.ts";

type Percentile = keyof LoadPoint["percentiles"] & `p${string}`;

/** A terminal has room for one percentile. */
function percentilesOf(extent: TableExtent): readonly { readonly heading: string; readonly key: Percentile }[] {
  const p99 = { heading: "p99", key: "p99Ms" } as const;
  if (extent === "short") return [p99];
  return [{ heading: "p50", key: "p50Ms" }, { heading: "p90", key: "p90Ms" }, p99, { heading: "p99.9", key: "p999Ms" }];
}

/** A terminal has no room for a model that is further off. */
function wholeOf<Cell>(extent: TableExtent, cell: Cell): readonly Cell[] {
  return extent === "short" ? [] : [cell];
}

function rowOf(
  input: ReportInput,
  series: LoadSeries,
  point: LoadPoint,
  unit: TimeUnit,
  extent: TableExtent,
): TableRow {
  const title = seriesTitle(input, series);
  const name = voidMarked(input.analysis, point.armId, rateName(point.rateHz));
  const { responseMs, low, high, voidFor, offered, percentiles, predicted, replayedMs } = point;
  const shown = (ms: number | null): string => duration(ms, unit);
  const cells = [
    `${title}, ${name}`,
    `${number(100 * offered)} %`,
    voidFor.length > 0 ? voidText : shown(responseMs),
    interval(low, high, shown),
    ...percentilesOf(extent).map(({ key }) => shown(percentiles[key])),
    ...[predicted.mm1Ms, ...wholeOf(extent, predicted.wholeMs), predicted.mmcMs, replayedMs].map(shown),
  ];
  return measuredRow(cells, { groupId: seriesId(input, series), group: title, name });
}

/** Median absolute error of these predictions, as a share of the measured value; undefined without any. */
function medianError(points: readonly LoadPoint[], predicted: (point: LoadPoint) => number | null): number | undefined {
  const errors = points.flatMap((point): readonly number[] => {
    const ms = predicted(point);
    return point.responseMs === null || ms === null ? [] : [Math.abs(ms / point.responseMs - 1)];
  });
  return errors.length === 0 ? undefined : quantile(sortedCopy(errors), 0.5);
}

function errorText(points: readonly LoadPoint[]): string {
  const errors = [
    { model: "M/M/1", error: medianError(points, ({ predicted }) => predicted.mm1Ms) },
    { model: "1/(μ−λ)", error: medianError(points, ({ predicted }) => predicted.wholeMs) },
    { model: "replayed", error: medianError(points, ({ replayedMs }) => replayedMs) },
  ].flatMap(({ model, error }) => (error === undefined ? [] : [`${model} ${Math.round(100 * error)} %`]));
  return errors.length === 0 ? "" : ` Median absolute error: ${errors.join(", ")}.`;
}

const demandTexts = {
  alone: "when one caller calls alone",
  many: "when many callers never pause, as it was before the rounds: turns of the server hold many calls then, and each takes less of it than a lone one does",
} as const;

/** Names the calls whose demand determines shares and predictions. */
export function demandText(series: readonly LoadSeries[]): string {
  const isOfMany = series.some(({ demand }) => demand.demandOf === "many");
  return `the server's processor time of a call ${demandTexts[isOfMany ? "many" : "alone"]}`;
}

function coresText({ facts }: ReportInput, series: readonly LoadSeries[]): string {
  const cores = series.every(({ alone }) => alone.computesOnThreads === true) ? facts.environment.cores - 1 : 1;
  return cores <= 1 ? "this server had one core for all, where threads gain nothing" : `this server had ${cores} cores`;
}

function tablesOf(input: ReportInput, series: readonly LoadSeries[], extent: TableExtent): readonly NamedTable[] {
  const [first] = series;
  if (first === undefined) return [];
  const points = series.flatMap((ofStack) => ofStack.points);
  const unit = timeUnitFor(points.flatMap(({ responseMs }) => responseMs ?? []));
  const pool = points.some(({ predicted }) => predicted.mmcMs !== null)
    ? ` M/M/c: a processor for each thread; ${coresText(input, series)}.`
    : "";
  const late = lateTailNote(
    input.analysis.lateTails,
    points.map(({ armId }) => armId),
  );
  const table: Table = {
    id: slug(`load ${first.study} ${first.task}`),
    caption: `${taskLabel(first)}: response time beside models, in ${unit.symbol}`,
    columns: figureColumns(
      "stack and arrivals",
      "asked",
      "mean",
      "95 % interval",
      ...percentilesOf(extent).map(({ heading }) => heading),
      "M/M/1",
      ...wholeOf(extent, "1/(μ−λ)"),
      "M/M/c",
      "replayed",
    ),
    rows: series.flatMap((ofStack) => ofStack.points.map((point) => rowOf(input, ofStack, point, unit, extent))),
    note: `Mean and percentiles: from the intended start. A percentile is shown where at least five calls took longer. Asked: of what one processor can do, by ${demandText(series)}. M/M/1 adds a wait to a lone caller's response time; from 100 % on its queue grows without end, and it has none.${wholeOf(extent, " 1/(μ−λ): as if all of a lone caller's response time were service.").join("")} Replayed: one server that takes the arrivals of this very run one after the other.${pool}${errorText(points)}${late === "" ? "" : ` ${late}`}`,
  };
  return [{ table: withoutEmptyColumns(table), stacks: series.map(({ alone }) => alone) }];
}

export const reportTable: StudyTable = {
  name: "load",
  order: 20,
  section: "study",
  tables: (input, { study }, extent) =>
    loadedTasks(input.analysis.loadSeries)
      .filter(([first]) => first?.study === study)
      .flatMap((series) => tablesOf(input, series, extent)),
};
