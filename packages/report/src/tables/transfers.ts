// Bulk data over a distance: time to the first bytes and to all, the predicted time, pauses, and the limit.
import type { StudyTable } from "../view/run-view.ts";
import { pauseCosts, windowText, type Transfer } from "@roundtrip/analysis";
import { configurationOf, workFactors, type Arm, type Scalar } from "@roundtrip/runs";
import { factorValue, studyLabel } from "../words/arm-label.ts";
import { absent, duration, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import {
  column,
  figureColumns,
  slug,
  withoutEmptyColumns,
  type NamedTable,
  type TableRow,
  type Table,
} from "../basics/table.ts";
import { markedTitle } from "../view/marks.ts";

const megabytes = (bytesPerSecond: number): string => number(bytesPerSecond / 1e6);

function limitCells({ limit }: Transfer): readonly string[] {
  return limit === null ? [absent, absent] : [megabytes(limit.bytesPerSecond), limit.by];
}

/** `104`, or `340 to 660` where only bounds are known. */
function mustBeText({ mustBe }: Transfer, unit: TimeUnit): string {
  return [...new Set([mustBe.leastMs, mustBe.mostMs].map((ms) => duration(ms, unit)))].join(" to ");
}

const ownColumns = ["rttMs", "payloadBytes", "tls", "windowScaling", "newConnectionPerCall"];

function factorText([factor, value]: readonly [string, Scalar]): string {
  if (typeof value !== "number") return factorValue(factor, value);
  if (factor === "receiveWindowBytes") return `TCP ${windowText(value)}`;
  return factorValue(factor, value);
}

/** What distinguishes an arm from others of its study, and the settings of its stack. */
function nameOf(arm: Arm, { opensConnection }: Transfer, arms: readonly Arm[]): string {
  const differing = Object.entries(workFactors(arm)).filter(
    ([factor, value]) => !ownColumns.includes(factor) && arms.some((other) => other.factors[factor] !== value),
  );
  return [
    arm.task.replaceAll("-", " "),
    ...(opensConnection ? ["new connection"] : []),
    ...(arm.factors["tls"] === true ? ["TLS"] : []),
    ...differing.map(factorText),
    ...(arm.factors["windowScaling"] === false ? ["not scaled"] : []),
  ].join(", ");
}

/** Excludes the calls in the table of pauses. Empty when the study has no bulk data over a distance. */
export function transfersTables({ analysis }: ReportInput, study: string): readonly NamedTable[] {
  const paused = new Set(pauseCosts(analysis).flatMap(({ atOnce, afterPause }) => [atOnce.id, afterPause.id]));
  const arms = new Map(
    analysis.arms.filter((arm) => arm.study === study && !paused.has(arm.id)).map((arm) => [arm.id, arm]),
  );
  const rows = analysis.transfers.flatMap((transfer) => {
    const arm = arms.get(transfer.armId);
    return arm === undefined ? [] : [{ arm, transfer }];
  });
  if (rows.length === 0) return [];
  const measured = rows.map(({ arm }) => arm);
  const unit = timeUnitFor(rows.map(({ transfer }) => transfer.totalMs));
  const grouped = Map.groupBy(rows, ({ arm }) => configurationOf(arm));
  const table: Table = {
    id: slug(`transfers ${study}`),
    caption: `${studyLabel(study)}: bulk data`,
    columns: [
      ...figureColumns(
        "stack and task",
        "round trip, ms",
        `first byte, ${unit.symbol}`,
        `total, ${unit.symbol}`,
        `must be, ${unit.symbol}`,
        "pauses",
        "MB/s",
        "at most",
      ),
      column.start("by"),
    ],
    rows: [...grouped.values()].flat().map(({ arm, transfer }): TableRow => {
      const name = nameOf(arm, transfer, measured);
      const title = markedTitle(analysis, arm);
      return {
        role: arm.role === "floor" ? "floor" : "measured",
        nested: { groupId: configurationOf(arm), group: title, name },
        cells: [
          `${title} ${name}`,
          number(transfer.rttMs),
          duration(transfer.firstByteMs, unit),
          duration(transfer.totalMs, unit),
          mustBeText(transfer, unit),
          transfer.pauses === null ? absent : transfer.pauses.toFixed(1),
          megabytes(transfer.bytesPerSecond),
          ...limitCells(transfer),
        ],
      };
    }),
    note: `Must be: what handshakes, slow start, windows and the line take without any time of a processor; between two numbers where a window of HTTP/2 limits. First byte and pauses (halts longer than half a round trip) are the receiver's, so uploads have none. MB/s counts what crossed the client's sockets; at most: the line's bandwidth or a window in each round trip, whichever is less.`,
  };
  return [{ table: withoutEmptyColumns(table), stacks: measured }];
}

export const reportTable: StudyTable = {
  name: "transfers",
  order: 110,
  section: "study",
  tables: (input, study) => transfersTables(input, study.study),
};
