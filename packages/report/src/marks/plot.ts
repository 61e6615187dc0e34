// Plots and the figures that they draw from one report.
import type { PlotOptions } from "@observablehq/plot";
import type { LegendEntry } from "./palette.ts";
import { slug, type Topic } from "../basics/table.ts";
import type { PublishedFigures } from "@roundtrip/runs";
import type { ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";

/** One picture. `title` and `alt` contain everything for readers who cannot see it. */
export interface Figure {
  /** Unique in a report; letters, digits and dashes only, because it becomes a file name. */
  readonly name: string;
  /** The study that the figure belongs to, or null for the whole run. */
  readonly study: string | null;
  /** The task of that study, or null for all. */
  readonly task: string | null;
  readonly topic: Topic;
  /** `half`: two fit side by side on a wide page. */
  readonly size: "full" | "half";
  readonly title: string;
  /** The content with its main numbers, in one or two sentences. */
  readonly alt: string;
  /** How to read it, in one or two sentences. */
  readonly caption: string;
  /** Meaning of strokes and shapes; empty when the axes show it. */
  readonly legend: readonly LegendEntry[];
  /** Returns the marks and scales at a width, with `height` and `marginTop`. Narrow widths stack the panels. */
  draw(widthPx: number): PlotOptions;
}

export interface ShownFigure extends Figure {
  /** Small print inside the picture; may be empty. */
  readonly footnote: string;
}

/** One kind of picture. A plot is a file in `plots/` that exports `plot`. */
export interface Plot {
  readonly name: string;
  /** Reports show plots from low to high. */
  readonly order: number;
  /** Empty when the run has no data for it. */
  figures(input: ReportInput): readonly Figure[];
}

/** A figure of one task. Its name starts with `kind`. */
export function taskFigure(
  kind: string,
  { study, task }: Pick<TaskView, "study" | "task">,
  figure: Omit<Figure, "name" | "study" | "task">,
): Figure {
  return { name: slug(`${kind} ${study} ${task}`), study, task, ...figure };
}

interface TaskPlot extends Pick<Plot, "name" | "order"> {
  /** Null where the task has no data for it. */
  readonly figure: (task: TaskView, input: ReportInput, published: readonly PublishedFigures[]) => Figure | null;
}

export function taskPlot({ name, order, figure }: TaskPlot): Plot {
  return {
    name,
    order,
    figures: (input) =>
      viewStudies(input).flatMap(({ tasks, published }) =>
        tasks.flatMap((task) => figure(task, input, published) ?? []),
      ),
  };
}
