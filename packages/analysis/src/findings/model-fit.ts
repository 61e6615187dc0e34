// How far predictions were off for several callers, and which cells are outside their model.
import { groupsOf } from "../basics/groups-of.ts";
import { anomalyText } from "../anomalies/anomaly-warnings.ts";
import type { Anomaly } from "../anomalies/anomaly.ts";
import { modelCells } from "../anomalies/model-cells.ts";
import { thresholds } from "../basics/thresholds.ts";
import { counted, listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { concurrencySeries } from "../load/concurrency-series.ts";
import { predictionErrors } from "../load/prediction-errors.ts";

function offText(stacks: readonly { readonly title: string; readonly off: number | null }[]): string {
  return listed(
    stacks.flatMap(({ title, off }) => (off === null ? [] : [`${threeDigits(100 * off)} % over ${title}`])),
  );
}

/** One sentence for the study; none where only a single caller was measured. `flagged` are the arms of anomalies. */
export function callersPredicted(
  study: string,
  { measured }: Evidence,
  flagged: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  const series = concurrencySeries(measured).filter((one) => one.study === study);
  const stacks = predictionErrors(series, flagged);
  if (stacks.length === 0) return [];
  const armIds = stacks.flatMap((stack) => stack.armIds);
  const leftOut = stacks.reduce((sum, stack) => sum + stack.flagged, 0);
  const all = offText(stacks.map(({ title, median: off }) => ({ title, off })));
  const others = offText(stacks.map(({ title, medianOfOthers: off }) => ({ title, off })));
  const without =
    leftOut === 0 || others === ""
      ? ""
      : `; without the ${counted(leftOut, "combination")} flagged as not fitting, ${others}`;
  return [
    {
      code: "callers-predicted",
      study,
      sentence: `Fed with one caller, mean value analysis was off by ${all} for ${counted(armIds.length, "combination")} of callers, think time and call (median of absolute errors)${without}.`,
      strength: "measured",
      armIds,
    },
  ];
}

function sentenceFor(judged: number, found: readonly Anomaly[], first: Anomaly): string {
  const { name, model, causes } = first;
  const [cause] = causes;
  const why = cause === undefined ? "nothing that was collected explains it" : cause.text;
  const them = model === "open queue" ? "models of open queues" : model;
  const left = `${found.length} of ${counted(judged, "cell")} left ${them} (more than ${Math.round(100 * thresholds.band)} % off, and beyond the interval)`;
  return `${left}; the farthest is ${name}, ${anomalyText(first)}: ${why}.`;
}

/** One sentence for each load model with cells outside it; round trips have their own sentences. None where every cell fits or has no interval. */
export function leftModel(study: string, { measured }: Evidence): readonly Finding[] {
  const judged = modelCells(measured).filter((cell) => cell.study === study);
  const found = measured.anomalies.filter((anomaly) => anomaly.study === study && anomaly.unit === "ms");
  return groupsOf(found, ({ model }) => model).map((cells) => {
    const [first] = cells;
    const of = judged.filter(({ model }) => model === first.model).length;
    const armIds = cells.flatMap((cell) => cell.armIds);
    return { code: "anomaly", study, sentence: sentenceFor(of, cells, first), strength: "clear", armIds };
  });
}
