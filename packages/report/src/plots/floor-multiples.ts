// How many times the floor each arm takes: what a style costs on top of moving bytes between the same two processes.
import { dot, ruleX, ruleY } from "@observablehq/plot";
import { armLabel, taskLabel } from "../words/arm-label.ts";
import { rows } from "../marks/rows.ts";
import { colours, variantLook } from "../marks/palette.ts";
import type { Figure, Plot } from "../marks/plot.ts";
import { fewRoundsNote } from "../words/few-rounds-mark.ts";
import { multiple } from "../basics/quantity.ts";
import { headlinePart } from "../words/arm-label.ts";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";
import { slug } from "../basics/table.ts";

interface Multiple {
  readonly id: string;
  readonly label: string;
  readonly colour: string;
  readonly variant: string;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

function draw(arms: readonly Multiple[], widthPx: number): ReturnType<Figure["draw"]> {
  const layout = rows({
    rows: arms,
    values: [1, ...arms.flatMap(({ low, high }) => [low, high])],
    label: "times the floor",
    widthPx,
    rowHeightPx: 26,
  });
  return {
    ...layout.options,
    marks: [
      ...layout.axis,
      ruleX([1], { stroke: "var(--floor)", strokeWidth: 2 }),
      ruleY(arms, { y: "id", x1: "low", x2: "high", stroke: "colour", strokeWidth: 2 }),
      ...arms.map((arm) =>
        dot([arm], {
          x: "ratio",
          y: "id",
          fill: arm.colour,
          stroke: "var(--paper)",
          symbol: variantLook(arm.variant).symbol,
          r: 5,
        }),
      ),
    ],
  };
}

function figure(task: TaskView, { analysis }: ReportInput): readonly Figure[] {
  const colour = colours(analysis);
  const arms = task.headline.flatMap(({ arm, floor }): readonly Multiple[] =>
    floor === null
      ? []
      : [
          {
            id: arm.id,
            label: armLabel(task, arm, task.headline),
            colour: colour(arm),
            variant: arm.variant,
            ratio: floor.ratio,
            low: floor.low ?? floor.ratio,
            high: floor.high ?? floor.ratio,
          },
        ],
  );
  if (arms.length === 0) return [];
  const part = headlinePart(task);
  const note = fewRoundsNote(task.headline.flatMap(({ floor }) => floor ?? []));
  return [
    {
      name: slug(`floor ${task.study} ${task.task}`),
      study: task.study,
      task: task.task,
      topic: "cost",
      size: "half",
      title: `${taskLabel(task)}${part === "" ? "" : `, ${part}`}: multiples of the floor`,
      alt: `Latency as a multiple of a raw TCP echo: ${arms.map(({ label, ratio }) => `${label} ${multiple(ratio)}`).join(", ")}.`,
      caption:
        `The upright line at 1 is a raw TCP echo of the bare messages (as protobuf, without the headers of a protocol), called the same way. Bars: 95 % intervals, where they are wider than the mark. ${note}`.trimEnd(),
      legend: [],
      draw: (widthPx) => draw(arms, widthPx),
    },
  ];
}

export const plot: Plot = {
  name: "floor-multiples",
  order: 40,
  figures: (input) => viewStudies(input).flatMap(({ tasks }) => tasks.flatMap((task) => figure(task, input))),
};
