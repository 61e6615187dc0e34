// CPU of server and client per task: whether a style is slow on the server, or its client library burns the time.
import { barX } from "@observablehq/plot";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { rows } from "../marks/rows.ts";
import { colours } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { duration, timeUnitFor } from "../basics/quantity.ts";
import { headlinePart } from "../words/arm-label.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";

interface Cost {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly serverMs: number;
  readonly clientMs: number;
}

function draw(costs: readonly Cost[], widthPx: number): ReturnType<Figure["draw"]> {
  const unit = timeUnitFor(costs.map(({ serverMs }) => serverMs));
  const layout = rows({
    rows: costs,
    // From 0: lengths of bars are compared, which a logarithmic axis would not allow.
    values: [0, ...costs.map(({ serverMs, clientMs }) => (serverMs + clientMs) * unit.perMs)],
    label: `CPU per task, ${unit.symbol}`,
    widthPx,
    rowHeightPx: 28,
  });
  const shared = { y: "id", insetTop: 5, insetBottom: 5, stroke: "colour", strokeWidth: 1.5 } as const;
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      barX(costs, { ...shared, x1: 0, x2: ({ serverMs }: Cost) => serverMs * unit.perMs, fill: "colour" }),
      barX(costs, {
        ...shared,
        x1: ({ serverMs }: Cost) => serverMs * unit.perMs,
        x2: ({ serverMs, clientMs }: Cost) => (serverMs + clientMs) * unit.perMs,
        fill: "colour",
        fillOpacity: 0.2,
      }),
    ],
  };
}

function figure(task: TaskView, { analysis }: ReportInput): readonly Figure[] {
  const colour = colours(analysis);
  const costs = task.headline.flatMap(({ arm, cost }): readonly Cost[] => {
    const [server, client] = [cost.serverCpuMsPerTask, cost.clientCpuMsPerTask];
    if (server === undefined || client === undefined) return [];
    return [
      {
        id: arm.id,
        label: armLabel(task, arm, task.headline),
        colour: colour(arm),
        serverMs: server.mean,
        clientMs: client.mean,
      },
    ];
  });
  if (costs.length === 0) return [];
  const part = headlinePart(task);
  const unit = timeUnitFor(costs.map(({ serverMs }) => serverMs));
  const words = costs.map(
    ({ label, serverMs, clientMs }) => `${label} ${duration(serverMs, unit)} and ${duration(clientMs, unit)}`,
  );
  return [
    {
      name: slug(`cpu ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "cost",
      size: "half",
      title: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: CPU per task`,
      alt: `CPU of server and client per task in ${unit.symbol}: ${words.join(", ")}.`,
      caption: "Filled: the server's process. Outlined: the client's. Both with all their threads.",
      legend: [],
      draw: (widthPx) => draw(costs, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "cpu-per-task",
  order: 30,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
