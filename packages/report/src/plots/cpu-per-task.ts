// CPU of server and client per task: whether the server or the client library is slow.
import { barX, type PlotOptions } from "@observablehq/plot";
import { armLabel, headlineLabel } from "../words/arm-label.ts";
import { rows } from "../marks/rows.ts";
import { colours } from "../marks/palette.ts";
import { taskFigure, taskPlot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";

interface Cost {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly serverMs: number;
  readonly clientMs: number;
}

function draw(costs: readonly Cost[], widthPx: number): PlotOptions {
  const unit = timeUnitFor(costs.map(({ serverMs }) => serverMs));
  const bars = costs.map(({ id, colour, serverMs, clientMs }) => ({
    id,
    colour,
    server: serverMs * unit.perMs,
    both: (serverMs + clientMs) * unit.perMs,
  }));
  const layout = rows({
    rows: costs,
    // From 0: readers compare lengths of bars, which a logarithmic axis would not allow.
    values: [0, ...bars.map(({ both }) => both)],
    label: `CPU per task, ${unit.symbol}`,
    widthPx,
    rowHeightPx: 28,
  });
  const bar = { y: "id", insetTop: 5, insetBottom: 5, stroke: "colour", strokeWidth: 1.5, fill: "colour" } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      barX(bars, { ...bar, x1: 0, x2: "server" }),
      barX(bars, { ...bar, x1: "server", x2: "both", fillOpacity: 0.2 }),
    ],
  };
}

export const plot = taskPlot({
  name: "cpu-per-task",
  order: 30,
  figure(task, { analysis }) {
    const colour = colours(analysis);
    const costs = task.headline.flatMap(({ arm, cost }): readonly Cost[] => {
      const [server, client] = [cost.serverCpuMsPerTask, cost.clientCpuMsPerTask];
      if (server === undefined || client === undefined) return [];
      const label = armLabel(task, arm, task.headline);
      return [{ id: arm.id, label, colour: colour(arm), serverMs: server.mean, clientMs: client.mean }];
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
      legend: [],
      draw: (widthPx) => draw(costs, widthPx),
    });
  },
});
