// Every picture of a report, from each plot of the registry.
import { renderFigure, type RenderedPlot } from "../marks/draw-figure.ts";
import type { ShownFigure } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { markNote } from "../view/unsettled-mark.ts";
import { loadPlots } from "./registry.ts";

export async function figuresOf(input: ReportInput): Promise<readonly ShownFigure[]> {
  const { analysis } = input;
  return (await loadPlots())
    .flatMap((plot) => plot.figures(input))
    .map((figure) => {
      const arms = analysis.arms.filter(
        ({ study, task }) => study === (figure.study ?? study) && task === (figure.task ?? task),
      );
      return { ...figure, footnote: markNote(analysis, arms) };
    });
}

export async function renderPlots(input: ReportInput): Promise<readonly RenderedPlot[]> {
  return (await figuresOf(input)).map(renderFigure);
}
