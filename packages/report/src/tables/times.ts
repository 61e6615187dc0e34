// How the time of calls was spent, and the server's load meanwhile: for arms whose answers report times, and for loads.
import type { StudyTable, ArmView, TaskView } from "../view/run-view.ts";
import { configurationOf } from "@roundtrip/runs";
import { taskLabel } from "../words/arm-label.ts";
import { absent, duration, number, timeUnitFor, type TimeUnit } from "../basics/quantity.ts";
import type { ReportInput } from "../view/report-input.ts";
import {
  figureColumns,
  slug,
  withoutEmptyColumns,
  type NamedTable,
  type TableRow,
  type Table,
} from "../basics/table.ts";
import { voidMarked, voidText } from "../view/marks.ts";
import { differingText, rateName } from "../rows/load-rows.ts";

const kilobyte = 1_000;

/** Tasks per second times the cost of each; absent where either is unknown. */
function rateOf({ cost, arm }: ArmView, perTask: number | undefined, show: (perSecond: number) => string): string {
  const callsPerSecond = cost.callsPerSecond?.mean;
  if (perTask === undefined || callsPerSecond === undefined) return absent;
  return show((perTask * callsPerSecond) / arm.callsPerTask);
}

function rowOf(view: ArmView, name: string, unit: TimeUnit): TableRow {
  const { arm, cost, latency, isVoid } = view;
  const mean = (metric: "queueMs" | "serviceMs" | "transportMs"): string => duration(cost[metric]?.mean, unit);
  return {
    role: arm.role === "floor" ? "floor" : "measured",
    nested: { groupId: configurationOf(arm), group: arm.title, name },
    cells: [
      `${arm.title}, ${name}`,
      isVoid ? voidText : duration(latency?.mean, unit),
      mean("queueMs"),
      mean("serviceMs"),
      mean("transportMs"),
      rateOf(view, 1, number),
      rateOf(view, cost.serverCpuMsPerTask?.mean, (msPerSecond) => `${number(msPerSecond / 10)} %`),
      rateOf(view, cost.wireBytesPerTask?.mean, (bytes) => number(bytes / kilobyte)),
    ],
  };
}

function tablesOf({ analysis }: ReportInput, task: TaskView): readonly NamedTable[] {
  const shown = task.arms.filter(({ arm, cost }) => cost.serviceMs !== undefined || arm.load?.loop === "open");
  if (shown.length === 0) return [];
  const views = task.arms.filter((view) => shown.includes(view) || view.arm.load === undefined);
  const arms = views.map(({ arm }) => arm);
  const nameOf = ({ arm }: ArmView): string => {
    const { rateHz } = arm.factors;
    const differing = differingText(arm, arms, ["arrivals", "rateHz"]);
    const unrated = arm.load === undefined ? "one caller" : arm.load.pacer;
    const pace = typeof rateHz === "number" ? rateName(rateHz) : unrated;
    const name = [
      ...(arms.some(({ load }) => load !== undefined) ? [pace] : []),
      ...(differing === "" ? [] : [differing]),
    ].join(", ");
    return voidMarked(analysis, arm.id, name);
  };
  const unit = timeUnitFor(views.flatMap(({ latency }) => latency?.mean ?? []));
  const ofStacks = Map.groupBy(views, ({ arm }) => configurationOf(arm));
  const table: Table = {
    id: slug(`times ${task.study} ${task.task}`),
    caption: `${taskLabel(task)}: where the time goes, in ${unit.symbol}, and what the server is busy with`,
    columns: figureColumns("stack", "response", "waits", "served", "transport", "per second", "CPU", "kB/s"),
    rows: [...ofStacks.values()].flat().map((view) => rowOf(view, nameOf(view), unit)),
    note: "Means. Waits and served are what answers report of the server; transport is the rest from a call's start: network, style, and the wait for a processor at both ends. Response counts from when a call was to begin. Per second: calls that were answered. CPU: of one processor, the server's process with all its threads; kB/s: on the client's sockets, both directions.",
  };
  return [{ table: withoutEmptyColumns(table), stacks: arms }];
}

export const reportTable: StudyTable = {
  name: "times",
  order: 40,
  section: "study",
  tables: (input, { tasks }) => tasks.flatMap((task) => tablesOf(input, task)),
};
