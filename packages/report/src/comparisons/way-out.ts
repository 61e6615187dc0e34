// What would decide an open comparison: a larger `--detect`, or a longer budget, at the noise that was seen.
import type { ComparedCell, PairedComparison } from "@roundtrip/analysis";

/** Nobody waits longer for a job, and more rounds than these are never run. */
const longest = { ms: 3_600_000, rounds: 200 } as const;

/** Another job has other noise. */
const spare = 1.2;

/** A bound that is this close to the estimate comes from the effect itself: no time decides that. */
const leastGap = 0.2;

type OpenCell = ComparedCell & { readonly atMost: number };

function openCells({ cells }: PairedComparison): readonly OpenCell[] | undefined {
  const open = cells.filter(({ state }) => state === "undecided");
  const bounded = open.filter((cell): cell is OpenCell => cell.atMost !== null);
  return open.length === 0 || bounded.length < open.length ? undefined : bounded;
}

/** The smallest loss, in whole per cent, that every open metric refuted in the rounds that ran; undefined where a bound is unknown. */
function smallestDetect(open: readonly OpenCell[], detect: number): number | undefined {
  const percent = Math.floor(100 * (Math.max(...open.map(({ atMost }) => atMost)) - 1)) + 1;
  return percent > 100 * detect && percent <= 100 ? percent : undefined;
}

/** Bounds come closer with the square root of rounds. */
function budgetMs(open: readonly OpenCell[], { rounds, durationMs, detect }: PairedComparison): number | undefined {
  const factors = open.map(({ ratio, atMost }) => {
    const reach = Math.log(atMost / ratio);
    const gap = Math.log((1 + detect) / ratio);
    return gap > leastGap * reach ? (reach / gap) ** 2 : Infinity;
  });
  const factor = spare * Math.max(...factors);
  const ms = durationMs * factor;
  return ms <= longest.ms && rounds * factor <= longest.rounds ? 30_000 * Math.ceil(ms / 30_000) : undefined;
}

/** `--budget 300s`, `--detect 9%`: what of them would decide the open metrics; empty where neither would, or where figures are not the reason. */
export function waysOut(comparison: PairedComparison): readonly string[] {
  const open = comparison.doubts.length > 0 || comparison.recheck !== null ? undefined : openCells(comparison);
  if (open === undefined) return [];
  const [ms, percent] = [budgetMs(open, comparison), smallestDetect(open, comparison.detect)];
  return [
    ...(ms === undefined ? [] : [`--budget ${ms / 1000}s`]),
    ...(percent === undefined ? [] : [`--detect ${percent}%`]),
  ];
}
