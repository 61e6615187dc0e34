// What a plot is: a kind of picture, and the figures that it makes of one report.
import type { PlotOptions } from "@observablehq/plot";
import type { LegendEntry } from "./legend.ts";
import { slug, type Topic } from "../basics/table.ts";
import type { PublishedFigures, ReportInput } from "../view/report-input.ts";
import { viewStudies, type TaskView } from "../view/run-view.ts";

/** One picture. Everything that a reader who cannot see it needs is in `title` and `alt`. */
export interface Figure {
  /** Unique in a report; letters, digits and dashes, because it becomes a file's name. */
  readonly name: string;
  /** Where a report shows it: with a study, or null for the whole run. */
  readonly study: string | null;
  /** With one task of that study, or null for all of it. */
  readonly task: string | null;
  /** Which tables it stands with. */
  readonly topic: Topic;
  /** `half`: two of them stand side by side where a page is wide enough. */
  readonly size: "full" | "half";
  readonly title: string;
  /** What the picture shows, with its main numbers, in one or two sentences. */
  readonly alt: string;
  /** How to read it, in one or two sentences. */
  readonly caption: string;
  /** What the strokes and shapes mean; empty when the axes say it. */
  readonly legend: readonly LegendEntry[];
  /** The marks and scales at a width, with `height` and `marginTop`; narrow widths stack their panels. */
  draw(widthPx: number): PlotOptions;
}

/** A figure as a report shows it. */
export interface ShownFigure extends Figure {
  /** Small print inside the picture; empty when there is none. */
  readonly footnote: string;
}

/** One kind of picture. A plot is a file in `plots/` that exports `plot`. */
export interface Plot {
  readonly name: string;
  /** Reports show plots from low to high. */
  readonly order: number;
  /** None when the run has nothing for it. */
  figures(input: ReportInput): readonly Figure[];
}

/** A figure of one task, with its place; `kind` begins the figure's name. */
export function taskFigure(
  kind: string,
  { study, task }: Pick<TaskView, "study" | "task">,
  figure: Omit<Figure, "name" | "study" | "task">,
): Figure {
  return { name: slug(`${kind} ${study} ${task}`), study, task, ...figure };
}

interface TaskPlot extends Pick<Plot, "name" | "order"> {
  /** Null where the task has nothing for it. */
  readonly figure: (task: TaskView, input: ReportInput, published: readonly PublishedFigures[]) => Figure | null;
}

/** A plot with at most one figure of each task. */
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
