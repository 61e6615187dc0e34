// A picture of the rates of one task: a panel for each of its series.
import type { LoadSeries } from "@roundtrip/analysis";
import { loadedTasks, seriesId, seriesTitle } from "../rows/load-rows.ts";
import type { ReportInput } from "../view/report-input.ts";
import { colours } from "./palette.ts";
import type { Panel } from "./panels.ts";
import type { Figure, Plot } from "./plot.ts";

export interface LoadPanel extends Panel {
  readonly series: LoadSeries;
  readonly colour: string;
}

interface LoadPlot extends Pick<Plot, "name" | "order"> {
  /** @param panels of one task, one or more */
  readonly figures: (input: ReportInput, panels: readonly LoadPanel[], first: LoadSeries) => readonly Figure[];
}

export function loadPlot({ name, order, figures }: LoadPlot): Plot {
  return {
    name,
    order,
    figures: (input) => {
      const colour = colours(input.analysis);
      return loadedTasks(input.analysis.loadSeries).flatMap((all) => {
        const panels = all.map((series) => ({
          series,
          id: seriesId(input, series),
          name: seriesTitle(input, series),
          colour: colour(series.alone),
        }));
        const [first] = all;
        return first === undefined ? [] : figures(input, panels, first);
      });
    },
  };
}
