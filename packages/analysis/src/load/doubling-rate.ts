// The arrival rate from which calls take twice as long as a single caller's: waiting then equals the call.
import { orderStatisticInterval } from "../statistics/order-statistic-interval.ts";
import type { Distribution } from "../metrics/distribution-of.ts";
import { crossingHz } from "./crossing-rate.ts";
import type { LoadSeries } from "./load-series.ts";
import type { ServerDemand } from "./open-responses.ts";

const times = 2;

/** Arrivals per second. */
export interface DoublingRate {
  /** The median over rounds, each with its own single caller; infinite where most rounds did not double. */
  readonly rateHz: number;
  /** 95 % interval by order statistics; null with too few rounds. */
  readonly low: number | null;
  readonly high: number | null;
  /** The highest rate that was kept. */
  readonly highestHz: number;
  /** Predicted by M/G/1. */
  readonly predictedHz: number;
}

/** Solves λ E[S²] / (2 (1 − λ E[S])) = R for λ: the wait of Pollaczek and Khinchine equals a single caller's response R. */
export function mg1DoublingHz({ responseMs, demandMs, scv }: ServerDemand): number {
  const halfSecondMoment = (demandMs ** 2 * (1 + (scv ?? 0))) / 2;
  return (1_000 * responseMs) / (halfSecondMoment + responseMs * demandMs);
}

/** Undefined where no rate was kept in as many rounds as the single caller has. Without arrivals, calls take as long as a single caller's. */
export function doublingRate(
  { alone, points, demand }: LoadSeries,
  distributions: readonly Pick<Distribution, "armId" | "roundMeansMs">[],
): DoublingRate | undefined {
  const meansOf = new Map(distributions.map(({ armId, roundMeansMs }) => [armId, roundMeansMs]));
  const lone = meansOf.get(alone.id) ?? [];
  const kept = points.flatMap(({ armId, rateHz, responseMs }) => {
    const means = meansOf.get(armId) ?? [];
    return responseMs === null || means.length !== lone.length ? [] : [{ rateHz, means }];
  });
  const highest = kept.at(-1);
  if (highest === undefined || lone.length === 0) return undefined;
  const crossings = lone.map((aloneMs, round) =>
    crossingHz(
      [
        { rateHz: 0, logMs: Math.log(aloneMs) },
        ...kept.map(({ rateHz, means }) => ({ rateHz, logMs: Math.log(means[round] as number) })),
      ],
      times * aloneMs,
    ),
  );
  const { median, low, high } = orderStatisticInterval(crossings);
  return { rateHz: median, low, high, highestHz: highest.rateHz, predictedHz: mg1DoublingHz(demand) };
}
