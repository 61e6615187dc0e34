// CPU of server and client per task: whether the server or the client library is slow.
import { barX, type PlotOptions } from "@observablehq/plot";
import type { Arm } from "@roundtrip/runs";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { barOpacity, colours, type LegendEntry } from "../marks/palette.ts";
import { rows, styleRows } from "../marks/rows.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";

interface Cost {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly arm: Arm;
  readonly serverMs: number;
  readonly clientMs: number;
}

function draw(costs: readonly Cost[], widthPx: number): PlotOptions {
  const unit = timeUnitFor(costs.map(({ serverMs }) => serverMs));
  const bars = costs.map(({ id, colour, serverMs, clientMs }) => ({
    id,
    colour,
    server: serverMs * unit.perMs,
    client: clientMs * unit.perMs,
  }));
  const { rows: named, headings } = styleRows(costs);
  const rowHeightPx = 30;
  const layout = rows({
    rows: named,
    // From 0: readers compare lengths of bars, which a logarithmic axis would not allow.
    values: [0, ...bars.flatMap(({ server, client }) => [server, client])],
    label: `CPU per task, ${unit.symbol}`,
    widthPx,
    rowHeightPx,
  });
  const bar = { y: "id", x1: 0, stroke: "colour", strokeWidth: 1.5, fill: "colour" } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      ...headings,
      barX(bars, { ...bar, x2: "server", insetTop: 4, insetBottom: rowHeightPx / 2 }),
      barX(bars, { ...bar, x2: "client", insetTop: rowHeightPx / 2, insetBottom: 4, fillOpacity: barOpacity.outlined }),
    ],
  };
}

const legend: readonly LegendEntry[] = [
  { label: "server", colour: "var(--ink)", look: "filled" },
  { label: "client", colour: "var(--ink)", look: "outlined" },
];

export const plot = taskPlot({
  name: "cpu-per-task",
  order: 30,
  figure(task, { analysis }) {
    const colour = colours(analysis);
    const costs = task.headline.flatMap(({ arm, cost }): readonly Cost[] => {
      const [server, client] = [cost.serverCpuMsPerTask, cost.clientCpuMsPerTask];
      if (server === undefined || client === undefined) return [];
      const label = armLabel(task, arm, task.headline);
      return [{ arm, id: arm.id, label, colour: colour(arm), serverMs: server.mean, clientMs: client.mean }];
    });
    if (costs.length === 0) return null;
    const unit = timeUnitFor(costs.map(({ serverMs }) => serverMs));
    const words = costs.map(
      ({ label, serverMs, clientMs }) => `${label} ${duration(serverMs, unit)} and ${duration(clientMs, unit)}`,
    );
    return taskFigure("cpu", task, {
      topic: "cost",
      size: "half",
      title: `${headlineLabel(task)}: CPU per task`,
      alt: `CPU of server and client per task in ${unit.symbol}: ${words.join(", ")}.`,
      caption: "Filled: the server's process. Outlined: the client's. Both with all their threads.",
      legend,
      draw: (widthPx) => draw(costs, widthPx),
    });
  },
});
