// Makes times and durations that obey the rules of their field and fit its name.
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import type { DurationRules, TimestampRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Draw, Purpose } from "../draw.ts";
import { type Bounds, type IntegerRange, likelyTimes, rangesOf, usualTimes } from "./integer-range.ts";

/** Seconds and nanoseconds, as in both types. */
export interface Moment {
  readonly seconds: bigint;
  readonly nanos: number;
}

const nsPerSecond = 1_000_000_000n;
const nsPerMs = 1_000_000n;

/** From the year 1 to 9999, in nanoseconds since 1970. */
const allTimes: IntegerRange = { low: -62_135_596_800n * nsPerSecond, high: 253_402_300_799n * nsPerSecond };
const allDurations: IntegerRange = { low: -315_576_000_000n * nsPerSecond, high: 315_576_000_000n * nsPerSecond };

function nsOf({ seconds, nanos }: Duration | Timestamp): bigint {
  return seconds * nsPerSecond + BigInt(nanos);
}

function momentOf(ns: bigint): Moment {
  return { seconds: ns / nsPerSecond, nanos: Number(ns % nsPerSecond) };
}

/** Timestamps count nanoseconds forward, before 1970 too. */
function timestampOf(ns: bigint): Moment {
  const nanos = ((ns % nsPerSecond) + nsPerSecond) % nsPerSecond;
  return { seconds: (ns - nanos) / nsPerSecond, nanos: Number(nanos) };
}

type Order = Pick<DurationRules | TimestampRules, "lessThan" | "greaterThan">;

/** Rules may also compare with the current time, as booleans. */
function isTime(value: unknown): value is Timestamp {
  return typeof value === "object";
}

function boundsOf({ lessThan, greaterThan }: Order): Bounds {
  return {
    above: isTime(greaterThan.value)
      ? { value: nsOf(greaterThan.value), included: greaterThan.case === "gte" }
      : undefined,
    below: isTime(lessThan.value) ? { value: nsOf(lessThan.value), included: lessThan.case === "lte" } : undefined,
  };
}

const future: IntegerRange = {
  low: BigInt(Date.UTC(2100, 0, 1)) * nsPerMs,
  high: BigInt(Date.UTC(2100, 11, 31)) * nsPerMs,
};

function meet(left: IntegerRange, right: IntegerRange): IntegerRange | undefined {
  const low = left.low > right.low ? left.low : right.low;
  const high = left.high < right.high ? left.high : right.high;
  return low <= high ? { low, high } : undefined;
}

/** Whole seconds if the interval contains any. */
function drawn(draw: Draw, { low, high }: IntegerRange, unit: bigint): bigint {
  const ns = draw.bigint(low, high);
  const whole = ns - (ns % unit);
  return whole >= low && whole <= high ? whole : ns;
}

/** A maker of times for a field. They depend on the draw alone, unless a rule refers to the current time. */
export function timestampValue({ name }: Purpose, rules: TimestampRules | undefined): (draw: Draw) => Moment {
  if (rules?.const !== undefined) return () => timestampOf(nsOf(rules.const as Timestamp));
  if (rules !== undefined && rules.example.length > 0) return (draw) => timestampOf(nsOf(draw.pick(rules.example)));
  const allowed = rangesOf(rules === undefined ? { above: undefined, below: undefined } : boundsOf(rules), allTimes);
  const isAhead = rules?.greaterThan.case === "gtNow";
  const likely = isAhead ? future : likelyTimes(name);
  const within = rules?.within;
  if (within !== undefined) {
    // One second of margin, because calls take time. If a rule also excludes one side of now, the middle of the allowed side.
    const isBehind = rules?.lessThan.case === "ltNow";
    const half = nsOf(within) / 2n;
    const offset = isAhead ? half : isBehind ? -half : 0n;
    return () => timestampOf(BigInt(Date.now()) * nsPerMs + offset);
  }
  const common = allowed.map((range) => meet(range, likely)).find((range) => range !== undefined);
  if (common !== undefined) return (draw) => timestampOf(drawn(draw, common, nsPerSecond));
  const nearest = allowed[0] ?? usualTimes;
  const year = 31_536_000n * nsPerSecond;
  const low = nearest.low === allTimes.low && nearest.high - year > nearest.low ? nearest.high - year : nearest.low;
  const high = low + year < nearest.high ? low + year : nearest.high;
  return (draw) => timestampOf(drawn(draw, { low, high }, nsPerSecond));
}

const likelyDuration: IntegerRange = { low: nsPerSecond, high: 3_600n * nsPerSecond };

/** A maker of durations for a field. */
export function durationValue(rules: DurationRules | undefined): (draw: Draw) => Moment {
  if (rules?.const !== undefined) return () => momentOf(nsOf(rules.const as Duration));
  const others = new Set(rules?.notIn.map(nsOf));
  const choices = (rules?.in ?? []).filter((value) => !others.has(nsOf(value)));
  if (choices.length > 0) return (draw) => momentOf(nsOf(draw.pick(choices)));
  const allowed = rangesOf(
    rules === undefined ? { above: undefined, below: undefined } : boundsOf(rules),
    allDurations,
  );
  const common = allowed.map((range) => meet(range, likelyDuration)).find((range) => range !== undefined);
  const nearest = allowed[0] ?? likelyDuration;
  const hour = 3_600n * nsPerSecond;
  const low = nearest.low === allDurations.low ? nearest.high - hour : nearest.low;
  const interval = common ?? { low, high: low + hour < nearest.high ? low + hour : nearest.high };
  return (draw) => {
    let ns = drawn(draw, interval, nsPerSecond);
    while (others.has(ns) && ns < interval.high) ns += 1n;
    return momentOf(ns);
  };
}
