// Response times at the highest sustainable rate of arrivals, measured and predicted.
import { groupsOf } from "../basics/groups-of.ts";
import type { LoadPoint, LoadSeries } from "../load/load-series.ts";
import type { Finding } from "./finding.ts";
import { durationText, listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { workText } from "./phrases.ts";

interface Served {
  readonly series: LoadSeries;
  readonly point: LoadPoint & { readonly responseMs: number };
}

function servedAt(series: LoadSeries, rateHz: number): readonly Served[] {
  const point = series.points.find((one) => one.rateHz === rateHz);
  if (point === undefined || point.responseMs === null || point.predicted.mg1Ms === null) return [];
  return [{ series, point: { ...point, responseMs: point.responseMs } }];
}

export function loadResponse(study: string, { measured }: Evidence): readonly Finding[] {
  const ofStudy = measured.loadSeries.filter((series) => series.study === study);
  return groupsOf(ofStudy, ({ task }) => task).flatMap((all): Finding | readonly Finding[] => {
    const [first] = all;
    // The sentence is about stacks; the table has the levels of service settings.
    const series = groupsOf(all, ({ alone }) => alone.stack).map(([one]) => one);
    const rates = first.points.map(({ rateHz }) => rateHz).toReversed();
    const served = rates
      .map((rateHz) => series.flatMap((one) => servedAt(one, rateHz)))
      .find(({ length }) => length === series.length);
    const [lead] = served ?? [];
    if (served === undefined || lead === undefined) return [];
    const took = served.map(({ series: { alone }, point }) => `${durationText(point.responseMs)} over ${alone.title}`);
    const asked = served.map(({ point }) => `${threeDigits(100 * point.offered)} %`);
    const said = served.map(({ point }) => durationText(point.predicted.mg1Ms ?? 0));
    return {
      code: "load-response",
      study,
      sentence: `At ${lead.point.rateHz.toLocaleString("en-US")} arrivals a second, ${listed(asked)} of what one processor can do, ${workText(first.alone)} took ${listed(took)}; M/G/1 said ${listed(said)}.`,
      strength: "measured",
      armIds: served.map(({ point }) => point.armId),
    };
  });
}
