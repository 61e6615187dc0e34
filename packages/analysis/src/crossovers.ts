// From which round-trip time on one way to call loses to another: where their lines over distance cross.
import { mean } from "d3-array";
import { factorKey } from "./arm-factors.ts";
import type { DistanceLine } from "./distance-lines.ts";
import { fiellerInterval } from "./fieller.ts";
import { distanceFactor } from "./measured-distance.ts";
import type { Crossover } from "./result.ts";
import { tInterval } from "./t-interval.ts";

/** The line that one is held against, and that one. */
interface Rivals {
  readonly slower: DistanceLine;
  readonly faster: DistanceLine;
}

/** Which of the two was faster, at every distance that was measured; null where it depends. */
function alwaysFaster({ slower, faster }: Rivals): Crossover["always"] {
  const differences = slower.meansMs.map((ms, index) => ms - (faster.meansMs[index] ?? Number.NaN));
  if (differences.every((ms) => ms > 0)) return "facade";
  return differences.every((ms) => ms < 0) ? "other" : null;
}

function crossoverOf(rivals: Rivals): readonly Crossover[] {
  const { slower, faster } = rivals;
  const both = slower.lines.flatMap((one, round) => {
    const other = faster.lines[round];
    return one === null || other === null || other === undefined ? [] : [{ one, other }];
  });
  if (both.length === 0) return [];
  const leads = both.map(({ one, other }) => other.intercept - one.intercept);
  const slopes = both.map(({ one, other }) => one.slope - other.slope);
  const slopeInterval = tInterval(slopes);
  // Lines that may be parallel cross anywhere: only a difference of slopes that is clear, and to the façade's favour, gives a distance.
  const isClear = slopeInterval !== null && slopeInterval.low > 0;
  const crossing = (mean(leads) as number) / (mean(slopes) as number);
  const interval = isClear ? fiellerInterval(leads, slopes) : null;
  const last = slower.rttMs.at(-1) ?? 0;
  const inRange = (isClear || slopeInterval === null) && crossing > 0 && crossing <= last;
  const [arm] = slower.arms;
  const [facade] = faster.arms;
  return [
    {
      study: arm.study,
      task: arm.task,
      variant: arm.variant,
      title: arm.title,
      stack: arm.stack,
      facadeStack: facade.stack,
      facadeTitle: facade.title,
      aboveMs: inRange ? crossing : null,
      low: inRange ? (interval?.low ?? null) : null,
      high: inRange ? (interval?.high ?? null) : null,
      always: alwaysFaster(rivals),
      nearestMs: slower.rttMs[0] ?? 0,
      farthestMs: last,
      rounds: both.length,
      armIds: [arm.id, facade.id],
    },
  ];
}

/**
 * Calls one after the other, on every stack, against the façade on every stack; calls at once against the façade on the same stack. Lines
 * are fitted in each round; where they cross carries Fieller's interval over rounds.
 */
export function crossovers(lines: readonly DistanceLine[]): readonly Crossover[] {
  const styles = lines.filter(({ arms: [arm] }) => arm.role === "style");
  const alike = Map.groupBy(styles, ({ arms: [arm] }) =>
    JSON.stringify([arm.study, arm.task, factorKey(arm, distanceFactor)]),
  );
  return [...alike.values()].flatMap((group) => {
    const facades = group.filter(({ arms: [arm] }) => arm.variant === "facade");
    const others = group.filter(({ arms: [arm] }) => ["chatty", "chatty-parallel"].includes(arm.variant));
    return others.flatMap((slower) =>
      facades
        .filter(({ arms: [arm] }) => slower.arms[0].variant === "chatty" || arm.stack === slower.arms[0].stack)
        .flatMap((faster) => crossoverOf({ slower, faster })),
    );
  });
}
