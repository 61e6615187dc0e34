// Percentiles of response times at each arrival rate: the mean hides the tail where calls wait for each other.
import type { StudyTable } from "../view/report-table.ts";
import type { LoadSeries } from "@roundtrip/analysis";
import { taskLabel } from "../words/arm-label.ts";
import { duration, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
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
import { lateTailNote, voidMarked, voidText } from "../view/void-mark.ts";
import { loadedTasks, rateName, seriesId, seriesTitle } from "../rows/load-rows.ts";

function rowsOf(input: ReportInput, series: LoadSeries, unit: TimeUnit): readonly TableRow[] {
  const title = seriesTitle(input, series);
  return series.points.map(({ armId, rateHz, voidFor, percentiles }): TableRow => {
    const { p50Ms, p90Ms, p99Ms, p999Ms } = percentiles;
    const name = voidMarked(input.analysis, armId, rateName(rateHz));
    const figures = [p50Ms, p90Ms, p99Ms, p999Ms].map((ms) => duration(ms, unit));
    const cells = [`${title}, ${name}`, ...(voidFor.length > 0 ? figures.map(() => voidText) : figures)];
    return measuredRow(cells, { groupId: seriesId(input, series), group: title, name });
  });
}

function percentileTables(input: ReportInput, study: string): readonly NamedTable[] {
  return loadedTasks(input.analysis.loadSeries).flatMap((series): readonly NamedTable[] => {
    const [first] = series;
    if (first?.study !== study) return [];
    const unit = timeUnitFor(
      series.flatMap(({ points }) => points.flatMap(({ percentiles }) => percentiles.p99Ms ?? [])),
    );
    const late = lateTailNote(
      input.analysis.lateTails,
      series.flatMap(({ points }) => points.map(({ armId }) => armId)),
    );
    const table: Table = {
      id: slug(`percentiles ${study} ${first.task}`),
      caption: `${taskLabel(first)}: percentiles of response time, in ${unit.symbol}`,
      columns: figureColumns("stack and arrivals", "p50", "p90", "p99", "p99.9"),
      rows: series.flatMap((one) => rowsOf(input, one, unit)),
      note: `From the intended start, over all rounds. A percentile is shown where at least five calls took longer. ${late}`.trimEnd(),
    };
    return [{ table: withoutEmptyColumns(table), stacks: series.map(({ alone }) => alone) }];
  });
}

export const reportTable: StudyTable = {
  name: "percentiles",
  order: 30,
  section: "study",
  tables: (input, study, extent) => (extent === "all" ? percentileTables(input, study.study) : []),
};
