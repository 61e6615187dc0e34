// Cells that left their model, in a sentence: how many of those that were held against it, and what is likely to be behind the farthest.
import type { Anomaly } from "../anomalies/anomaly.ts";
import { anomalyText } from "../anomalies/anomaly-warnings.ts";
import { modelCells } from "../anomalies/model-cells.ts";
import { thresholds } from "../basics/thresholds.ts";
import type { Finding } from "./finding.ts";
import { counted } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";

function sentenceFor(judged: number, found: readonly Anomaly[], first: Anomaly): string {
  const { name, model, causes } = first;
  const [cause] = causes;
  const why = cause === undefined ? "nothing that was collected explains it" : cause.text;
  const them = model === "open queue" ? "models of open queues" : model;
  const left = `${found.length} of ${counted(judged, "cell")} left ${them} (more than ${Math.round(100 * thresholds.band)} % off, and beyond the interval)`;
  return `${left}; the farthest is ${name}, ${anomalyText(first)}: ${why}.`;
}

/**
 * One sentence for each model of load that cells of the study left; round trips have sentences of their own. None where all cells follow their
 * model, or have no interval.
 */
export function leftModel(study: string, { measured }: Evidence): readonly Finding[] {
  const judged = modelCells(measured).filter((cell) => cell.study === study);
  const found = measured.anomalies.filter((anomaly) => anomaly.study === study && anomaly.unit === "ms");
  return [...Map.groupBy(found, ({ model }) => model)].flatMap(([model, cells]): readonly Finding[] => {
    const [first] = cells;
    if (first === undefined) return [];
    const of = judged.filter((cell) => cell.model === model).length;
    const armIds = cells.flatMap((cell) => cell.armIds);
    return [{ code: "anomaly", study, sentence: sentenceFor(of, cells, first), strength: "clear", armIds }];
  });
}
