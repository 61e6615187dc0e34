// Round trips of several callers with think time beside the predictions of a model, as in the study of 1996.
import type { StudyTable, TableExtent } from "../view/run-view.ts";
import { concurrencyByTask, headlineSeries, seriesKind } from "../rows/load-rows.ts";
import {
  counted,
  listed,
  predictionErrors,
  threeDigits,
  type ConcurrencySeries,
  type PredictionErrors,
} from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import { taskLabel } from "../words/arm-label.ts";
import { absent, duration, number, timeUnitFor } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import { figureColumns, measuredRow, slug, withoutEmptyColumns, type NamedTable, type Table } from "../basics/table.ts";
import { markedTitle } from "../view/marks.ts";

function errorsNote({ analysis }: ReportInput, series: readonly ConcurrencySeries[]): string {
  const stacks = predictionErrors(series, analysis.disturbed);
  if (stacks.length === 0) return "";
  const each = stacks.map(({ title, armIds, ofOthers, largest, ...all }) => {
    const few = `${counted(armIds.length, "cell")} over ${title}`;
    const others =
      ofOthers === undefined ? "" : `${spread(ofOthers)} of the ${ofOthers.cells} whose blocks show no disturbance, `;
    return `${spread(all)} of ${few} (${others}largest ${percent(largest)})`;
  });
  return ` Absolute error, median and 90th percentile: ${listed(each)}.`;
}

function spread({ median, p90 }: Pick<PredictionErrors, "median" | "p90">): string {
  return `${percent(median)} and ${percent(p90)}`;
}

function percent(share: number): string {
  return `${threeDigits(100 * share)} %`;
}

/** As the table of 1996: predicted, measured, standard deviation and error. */
function concurrencyTables(input: ReportInput, study: string, extent: TableExtent): readonly NamedTable[] {
  return concurrencyByTask(input, study).flatMap((all): readonly NamedTable[] => {
    const series = extent === "all" ? all : headlineSeries(all);
    const [first] = series;
    if (first === undefined) return [];
    const points = series.flatMap((one) => one.points);
    const unit = timeUnitFor(points.flatMap(({ measuredMs }) => measuredMs ?? []));
    const table: Table = {
      id: slug(`concurrency ${study} ${first.task}`),
      caption: `${taskLabel(first)}: round trips of several callers, in ${unit.symbol}`,
      columns: figureColumns("stack and call", "callers", "think, ms", "predicted", "measured", "std dev", "error"),
      rows: series.flatMap((one) => {
        const [title, name] = [markedTitle(input.analysis, one.alone), seriesKind(one, all)];
        const nested = name === "" ? null : { groupId: configurationOf(one.alone), group: title, name };
        return one.points.map(
          ({ callers, thinkMs, isWork, predictedMs, measuredMs, stddevMs, error, isModelInput }) => {
            const cells = [
              name === "" ? title : `${title}, ${name}`,
              String(callers),
              `${number(thinkMs)}${isWork ? ", working" : ""}`,
              duration(predictedMs, unit),
              measuredMs === null ? "void" : duration(measuredMs, unit),
              duration(stddevMs, unit),
              isModelInput ? "fed" : error === null ? absent : `${(100 * error).toFixed(1).replace("-", "−")} %`,
            ];
            return measuredRow(cells, nested);
          },
        );
      }),
      note: `Predicted by mean value analysis from the demands of one caller (fed: the round trip of one who does not think): exponential service and collections of garbage, with what is done after the caller has moved on as a second phase. Standard deviation: of the means of rounds. Error: of the prediction, over what was measured.${errorsNote(input, all)}`,
    };
    return [{ table: withoutEmptyColumns(table), stacks: series.map(({ alone }) => alone) }];
  });
}

export const reportTable: StudyTable = {
  name: "concurrency",
  order: 70,
  section: "study",
  tables: (input, study, extent) => concurrencyTables(input, study.study, extent),
};
