// Compares two drivers on the same server: if they disagree, one of them measures itself.
import { configurationOf, type Arm, type Warning } from "@roundtrip/runs";
import type { Summary } from "../metrics/summarise.ts";

const agreement = 0.1;

interface ThroughputPair {
  readonly own: Arm;
  readonly autocannon: Arm;
  /** autocannon's mean throughput over that of Roundtrip's client. */
  readonly ratio: number;
}

function sameWork(one: Arm, other: Arm): boolean {
  return one.study === other.study && one.task === other.task && configurationOf(one) === configurationOf(other);
}

function throughputPairs(arms: readonly Arm[], summaries: readonly Summary[]): readonly ThroughputPair[] {
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

export function driverDisagreements(arms: readonly Arm[], summaries: readonly Summary[]): readonly Warning[] {
  return throughputPairs(arms, summaries)
    .filter(({ ratio }) => ratio > 1 + agreement || ratio < 1 / (1 + agreement))
    .map(({ own, ratio }) => ({
      code: "drivers-disagree",
      message: `${own.title}: autocannon measured ${ratio.toFixed(2)} × the throughput of this project's client; more than 10 % apart, so one of the two limits what is measured`,
      armId: own.id,
    }));
}
