// Which change a job is able to find: what an inconclusive one has to say.
import { twoSidedT } from "../statistics/student-t.ts";
import type { GateSettings } from "./gate-settings.ts";

/** How probable it is that the change is found. */
const power = 0.9;

/** As many rounds more does a test take that may look before the end, to find the same: in simulated jobs with the default looks. */
const priceOfLooks = 1.1;

/**
 * The change d that `rounds` rounds whose log ratios have this standard deviation find with a probability of 90 %: a t test of "at most τ" at
 * α / cells has it where ln((1 + d) / (1 + τ)) = (t(1 − α / cells) + t(0.9)) · sd / √rounds, with rounds − 1 degrees of freedom; the
 * gate looks before the end, and so needs a tenth more rounds. Where cells go up and down together it needs slightly less. NaN where fewer than two rounds give no deviation.
 */
export function smallestDetectable(
  deviation: number,
  cells: number,
  rounds: number,
  { tolerate, alpha }: Pick<GateSettings, "tolerate" | "alpha">,
): number {
  if (!Number.isFinite(deviation) || rounds < 2) return Number.NaN;
  const critical = twoSidedT(1 - (2 * alpha) / cells, rounds - 1);
  const found = twoSidedT(2 * power - 1, rounds - 1);
  return (1 + tolerate) * Math.exp((critical + found) * deviation * Math.sqrt(priceOfLooks / rounds)) - 1;
}
