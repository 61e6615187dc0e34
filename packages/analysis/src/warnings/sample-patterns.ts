// Patterns in samples of another tool, by which figures depend on when a call was made: slow or fast first calls, drift, two modes.
import { binomialTail } from "../statistics/binomial.ts";
import { bisectLeft, mean, median } from "d3-array";
import { counted } from "../basics/words.ts";
import type { ArmTasks } from "../calls/tasks-of.ts";
import type { Warning } from "./warning.ts";
import { lineFit, tInterval } from "../statistics/student-t.ts";
import { quantile, sortedCopy } from "../statistics/describe-samples.ts";

/** Logarithms of a round's latencies, in the order of its calls. */
type Round = readonly number[];

/** Fewer calls in a round show no pattern. */
const fewestCalls = 20;
/** First calls are at most this share of a round, and each mode is at least this share of an arm. */
const firstShare = 0.1;
/** Smaller differences matter to nobody. */
const leastChange = Math.log(1.1);

function logsByRound({ blocks }: ArmTasks): readonly Round[] {
  return (
    [...Map.groupBy(blocks, ({ round }) => round).values()]
      .map((ofRound) => ofRound.flatMap(({ latenciesMs }) => [...latenciesMs]))
      .filter(({ length }) => length >= fewestCalls)
      // A coarse clock gives latencies of 0.
      .map((latenciesMs) => latenciesMs.map((ms) => Math.log(Math.max(ms, 1e-6))))
  );
}

type Side = "slower" | "faster";

/** How far outliers lie from the calls of a round that are not among its first: Tukey's outer fences, three interquartile ranges beyond the box. */
function outliersOf(round: Round): (log: number) => Side | undefined {
  const rest = sortedCopy(round.slice(Math.ceil(firstShare * round.length)));
  const [p25, p50, p75] = [0.25, 0.5, 0.75].map((fraction) => quantile(rest, fraction)) as [number, number, number];
  const reach = 3 * (p75 - p25);
  return (log) => {
    if (log > Math.max(p75 + reach, p50 + leastChange)) return "slower";
    return log < Math.min(p25 - reach, p50 - leastChange) ? "faster" : undefined;
  };
}

interface FirstCalls {
  readonly side: Side;
  /** The calls at the beginning of a round that differ. */
  readonly calls: number;
  /** The rounds in which the first call differs. */
  readonly rounds: number;
}

/** Less probable outliers at one position of the rounds are a pattern. */
const outliersByChance = 0.001;

/** First calls that lie outside the rest of their rounds more often than other calls do. */
function firstCalls(rounds: readonly Round[]): FirstCalls | undefined {
  const sides = rounds.map((round) => round.map(outliersOf(round)));
  const longest = Math.floor(firstShare * Math.min(...rounds.map(({ length }) => length)));
  const rest = sides.flatMap((ofRound) => ofRound.slice(longest));
  const found = (["slower", "faster"] as const).map((side): FirstCalls => {
    const usual = (rest.filter((one) => one === side).length + 1) / (rest.length + 2);
    const roundsAt = (call: number): number => sides.filter((ofRound) => ofRound[call] === side).length;
    let calls = 0;
    while (calls < longest && binomialTail(roundsAt(calls), rounds.length, usual) < outliersByChance) calls += 1;
    return { side, calls, rounds: roundsAt(0) };
  });
  return found.find(({ calls }) => calls > 0);
}

/** Parts of a round whose medians are compared: a single slow call moves none of them. */
const parts = 10;

/** The change of the logarithm from the beginning to the end of a round, along a straight line. */
function changeIn(round: Round): number {
  const points = Array.from({ length: parts }, (_, part) => {
    const calls = round.slice((part * round.length) / parts, ((part + 1) * round.length) / parts);
    return { x: (part + 0.5) / parts, y: median(calls) as number };
  });
  return lineFit(points).slope;
}

/** Twenty stretches of a round, for want of other rounds: their changes show how much a line changes by chance. */
function changesAlone(round: Round): readonly number[] {
  const stretches = Math.min(20, Math.floor(round.length / fewestCalls));
  const medians = Array.from({ length: stretches }, (_, at) => {
    const calls = round.slice((at * round.length) / stretches, ((at + 1) * round.length) / stretches);
    return median(calls) as number;
  });
  // Each stretch of the second half against its own in the first.
  const half = Math.floor(stretches / 2);
  return medians.slice(-half).map((late, at) => 2 * (late - (medians[at] as number)));
}

const driftConfidence = 0.99;

/** The change of a latency inside its rounds as a factor; undefined if it is small or may be chance. */
function driftOf(rounds: readonly Round[]): number | undefined {
  const changes = rounds.length >= 3 ? rounds.map(changeIn) : rounds.flatMap(changesAlone);
  const interval = tInterval(changes, driftConfidence, 3);
  if (interval === null || (interval.low <= 0 && interval.high >= 0)) return undefined;
  const change = mean(changes) as number;
  return Math.abs(change) < leastChange ? undefined : Math.exp(change);
}

interface Modes {
  readonly fast: number;
  readonly slow: number;
  readonly slowShare: number;
}

/** Fewer different values are steps of a clock, not modes. */
const fewestValues = 20;
/** The most calls in the middle third between two modes, as a share: a single mode has a sixth of all there. */
const mostBetween = 0.03;

/** Two groups of latencies with hardly a call between them. The border is that of least variance inside the groups (Otsu 1979). */
function modesOf(rounds: readonly Round[]): Modes | undefined {
  const sorted = sortedCopy(rounds.flat());
  const n = sorted.length;
  if (new Set(sorted).size < fewestValues) return undefined;
  const total = sorted.reduce((sum, log) => sum + log, 0);
  let [below, best, border] = [0, -Infinity, 0];
  for (let count = 1; count < n; count += 1) {
    below += sorted[count - 1] as number;
    const between = count * (n - count) * ((total - below) / (n - count) - below / count) ** 2;
    if (between > best) [best, border] = [between, count];
  }
  const [fast, slow] = [median(sorted.subarray(0, border)) as number, median(sorted.subarray(border)) as number];
  const third = (slow - fast) / 3;
  const inMiddle = bisectLeft(sorted, slow - third) - bisectLeft(sorted, fast + third);
  const slowShare = 1 - border / n;
  const areLarge = slowShare >= firstShare && slowShare <= 1 - firstShare;
  if (!areLarge || slow - fast < leastChange || inMiddle > mostBetween * n) return undefined;
  return { fast: Math.exp(fast), slow: Math.exp(slow), slowShare };
}

function firstText({ side, calls, rounds }: FirstCalls, of: number): string {
  const which = calls === 1 ? "the first call" : `the first ${calls} calls`;
  const where = rounds === of ? (of === 1 ? "" : " of each round") : ` of ${rounds} of ${counted(of, "round")}`;
  return `${which}${where} ${calls === 1 ? "is" : "are"} far ${side} than the rest: report first calls apart`;
}

function driftText(factor: number): string {
  const share = Math.round(100 * Math.abs(factor - 1));
  return `calls get ${share} % ${factor > 1 ? "slower" : "faster"} from the beginning of a round to its end: warm up longer, or look for what builds up`;
}

function modesText({ fast, slow, slowShare }: Modes): string {
  const [fastMs, slowMs] = [fast, slow].map((value) => Number(value.toPrecision(3)));
  return `latencies have two modes, ${fastMs} ms and ${slowMs} ms (${Math.round(100 * slowShare)} % of the calls): a mean or median describes neither`;
}

/** At most one warning of each kind for an arm of imported samples. */
export function samplePatterns(tasks: readonly ArmTasks[]): readonly Warning[] {
  return tasks.flatMap((arm): readonly Warning[] => {
    const { armId } = arm;
    const rounds = logsByRound(arm);
    if (rounds.length === 0) return [];
    const first = firstCalls(rounds);
    const later = rounds.map((round) => round.slice(first?.calls ?? 0));
    const drift = driftOf(later);
    // A drift spreads values, or splits them.
    const modes = drift === undefined ? modesOf(later) : undefined;
    return [
      ...(first === undefined ? [] : [{ code: "sample-first-calls", message: firstText(first, rounds.length), armId }]),
      ...(drift === undefined ? [] : [{ code: "sample-drift", message: driftText(drift), armId }]),
      ...(modes === undefined ? [] : [{ code: "sample-modes", message: modesText(modes), armId }]),
    ];
  });
}
