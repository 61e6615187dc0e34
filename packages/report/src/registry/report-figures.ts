// Every picture of a report: what each plot of the registry makes of it.
import { renderFigure, type RenderedPlot } from "../marks/draw-figure.ts";
import type { ShownFigure } from "../marks/plot.ts";
import type { ReportInput } from "../view/report-input.ts";
import { markNote } from "../view/unsettled-mark.ts";
import { loadPlots } from "./registry.ts";

/** Every figure of a report, in the order in which a report shows them. */
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

/** Every figure of a report as a file of its own. */
export async function renderPlots(input: ReportInput): Promise<readonly RenderedPlot[]> {
  return (await figuresOf(input)).map(renderFigure);
}
