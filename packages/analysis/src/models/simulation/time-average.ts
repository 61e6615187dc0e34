// The average over time of a number that jumps, such as how many requests are at a station.

export interface TimeAverage {
  change(by: number): void;
  /** The number now. */
  value(): number;
  /** Forgets the past: averages begin here. */
  restart(): void;
  /** The average since the last restart. */
  average(): number;
}

export function timeAverage(nowMs: () => number): TimeAverage {
  let [value, area, since, from] = [0, 0, 0, 0];
  const advance = (): void => {
    area += value * (nowMs() - since);
    since = nowMs();
  };
  return {
    change(by) {
      advance();
      value += by;
    },
    value: () => value,
    restart() {
      advance();
      area = 0;
      from = since;
    },
    average() {
      advance();
      return since === from ? value : area / (since - from);
    },
  };
}
