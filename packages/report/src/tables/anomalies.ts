// Cells outside their model: how far, the evidence in their blocks, and likely causes.
import type { StudyTable, TableExtent } from "../view/run-view.ts";
import { anomalyThresholds, type Anomaly, type ProcessShare } from "@roundtrip/analysis";
import { studyLabel } from "../words/arm-label.ts";
import { absent, duration, interval, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import {
  column,
  figureColumns,
  measuredRow,
  slug,
  withoutEmptyColumns,
  type TableRow,
  type Table,
} from "../basics/table.ts";

const fewCells = 8;

function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? absent : `${(100 * share).toFixed(1)} %`;
}

function offText({ ratio }: Anomaly): string {
  return `${ratio > 1 ? "+" : "−"}${Math.round(100 * Math.abs(ratio - 1))} %`;
}

function causeText({ causes, look }: Anomaly, extent: TableExtent): string {
  if (causes.length === 0) return extent === "all" && look !== "" ? look : "none seen";
  return causes.map(({ code, text }) => (extent === "all" ? text : code.replaceAll("-", " "))).join("; ");
}

function inMs(ms: number | null): string {
  return ms === null ? absent : number(ms);
}

function rowOf(anomaly: Anomaly, unit: TimeUnit, extent: TableExtent): TableRow {
  const { measured, low, high, predictedLeast, predictedMost, evidence } = anomaly;
  const { client, server, tcp, latenessMs } = evidence;
  const worse = (figure: (process: ProcessShare) => number | null): number | null => {
    const both = [client, server].flatMap((process) => (process === null ? [] : (figure(process) ?? [])));
    return both.length === 0 ? null : Math.max(...both);
  };
  const shown = (value: number | null | undefined): string =>
    anomaly.unit === "ms" ? duration(value, unit) : (value ?? 0).toFixed(2);
  const again = tcp === null ? absent : String((tcp.client?.retransmits ?? 0) + (tcp.server?.retransmits ?? 0));
  return measuredRow([
    anomaly.name,
    predictedLeast === predictedMost ? shown(predictedLeast) : interval(predictedLeast, predictedMost, shown),
    shown(measured),
    interval(low, high, shown),
    offText(anomaly),
    evidence.calls === 0 ? absent : evidence.connectionsPerCall.toFixed(2),
    inMs(latenessMs),
    inMs(worse(({ loopDelayMaxMs }) => loopDelayMaxMs)),
    percent(worse(({ gcShare }) => gcShare)),
    again,
    causeText(anomaly, extent),
  ]);
}

function bandText(unit: Anomaly["unit"]): string {
  if (unit === "ms") return `more than ${Math.round(100 * anomalyThresholds.band)} % off`;
  return `more than ${anomalyThresholds.bandPerRoundTrip} off for each round trip`;
}

function tableOf(cells: readonly Anomaly[], study: string, extent: TableExtent): Table | null {
  const [first] = cells;
  if (first === undefined) return null;
  const unit = timeUnitFor(cells.map(({ measured }) => measured));
  const isTime = first.unit === "ms";
  const kept = extent === "all" ? cells : cells.slice(0, fewCells);
  const left = cells.length - kept.length;
  return withoutEmptyColumns({
    id: slug(`anomalies ${study} ${first.unit}`),
    caption: `${studyLabel(study)}: cells that left their model, ${isTime ? `in ${unit.symbol}` : "in round trips per call"}`,
    columns: [
      ...figureColumns(
        "cell",
        "predicted",
        "measured",
        "95 % interval",
        "off by",
        "opened a call",
        "late, ms",
        "halt, ms",
        "garbage",
        "sent again",
      ),
      column.start("likely cause"),
    ],
    rows: kept.map((anomaly) => rowOf(anomaly, unit, extent)),
    note: `Flagged: ${bandText(first.unit)}, and beyond the interval. Seen in the same blocks: connections opened a call, how late calls began on average, of client and server the longer halt of an event loop and the larger share of time that went to garbage, and segments that had been sent again.${left === 0 ? "" : ` ${left} more in the other formats.`}`,
  });
}

export const reportTable: StudyTable = {
  name: "anomalies",
  order: 80,
  section: "study",
  // One for times and one for round trips.
  tables: ({ analysis }, { study }, extent) =>
    (["ms", "round trips"] as const).flatMap((unit) => {
      const cells = analysis.anomalies.filter((anomaly) => anomaly.study === study && anomaly.unit === unit);
      const table = tableOf(cells, study, extent);
      return table === null ? [] : [{ table, stacks: [] }];
    }),
};
