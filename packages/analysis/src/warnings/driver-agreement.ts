// Two drivers on the same server: when they disagree, one of them measures itself.
import { configurationOf } from "../run/arm-factors.ts";
import type { Summary } from "../metrics/summary.ts";
import type { Arm, Warning } from "../run/run-facts.ts";

/** How far the throughputs of two drivers may be apart. */
const agreement = 0.1;

/** The same calls driven by this project's clients and by autocannon. */
export interface ThroughputPair {
  readonly own: Arm;
  readonly autocannon: Arm;
  /** autocannon's mean throughput over ours. */
  readonly ratio: number;
}

function sameWork(one: Arm, other: Arm): boolean {
  return one.study === other.study && one.task === other.task && configurationOf(one) === configurationOf(other);
}

/** Every arm that was driven twice. */
export function throughputPairs(arms: readonly Arm[], summaries: readonly Summary[]): readonly ThroughputPair[] {
  const throughput = new Map(
    summaries.flatMap(({ armId, metric, mean }) => (metric === "callsPerSecond" ? [[armId, mean] as const] : [])),
  );
  return arms.flatMap((autocannon) => {
    const own = arms.find((arm) => arm.variant === "own-driver" && sameWork(arm, autocannon));
    const [theirs, ours] = [throughput.get(autocannon.id), own === undefined ? undefined : throughput.get(own.id)];
    if (autocannon.variant !== "autocannon" || own === undefined || theirs === undefined || ours === undefined)
      return [];
    return [{ own, autocannon, ratio: theirs / ours }];
  });
}

/** A warning for each pair that is more than a tenth apart. */
export function driverDisagreements(arms: readonly Arm[], summaries: readonly Summary[]): readonly Warning[] {
  return throughputPairs(arms, summaries)
    .filter(({ ratio }) => ratio > 1 + agreement || ratio < 1 / (1 + agreement))
    .map(({ own, ratio }) => ({
      code: "drivers-disagree",
      message: `${own.title}: autocannon measured ${ratio.toFixed(2)} × the throughput of this project's client; more than 10 % apart, so one of the two limits what is measured`,
      armId: own.id,
    }));
}
