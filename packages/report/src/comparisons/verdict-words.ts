// The verdict of a comparison in words: what slowed, which calls are affected, and what to do.
import {
  type CellState,
  type ComparedCell,
  counted,
  listed,
  type PairedComparison,
  type VersionComparison,
} from "@roundtrip/analysis";
import type { Warning } from "@roundtrip/analysis";
import { armKey, armNames, changeText, metricLabel, mostLost, shareText, judgedText, movedText } from "./cell-label.ts";

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
function waysOut(comparison: PairedComparison): readonly string[] {
  const open = comparison.doubts.length > 0 || comparison.recheck !== null ? undefined : openCells(comparison);
  if (open === undefined) return [];
  const [ms, percent] = [budgetMs(open, comparison), smallestDetect(open, comparison.detect)];
  return [
    ...(ms === undefined ? [] : [`--budget ${ms / 1000}s`]),
    ...(percent === undefined ? [] : [`--detect ${percent}%`]),
  ];
}

/** One arm with its cells, one per metric. */
export interface ComparedArm {
  readonly cells: readonly ComparedCell[];
  readonly state: CellState;
}

const gravity: readonly CellState[] = ["worse", "undecided", "better", "not-worse"];

/** Two runs decide little, but readers still look at the largest differences. */
const largestShown = 8;

/** The arm's largest change in either direction, as a logarithm. */
function largestChange({ cells }: ComparedArm): number {
  return Math.max(...cells.map(({ ratio }) => Math.abs(Math.log(ratio))));
}

function mostGrave(arms: readonly ComparedArm[]): readonly ComparedArm[] {
  return arms.toSorted(
    (one, other) =>
      gravity.indexOf(one.state) - gravity.indexOf(other.state) || largestChange(other) - largestChange(one),
  );
}

export function armsOf({ cells }: Pick<VersionComparison, "cells">): readonly ComparedArm[] {
  return [...Map.groupBy(cells, armKey).values()].map((some) => ({
    cells: some,
    state: gravity.find((state) => some.some((cell) => cell.state === state)) ?? "undecided",
  }));
}

export interface Affected {
  readonly arms: readonly ComparedArm[];
  /** `changed`: changed or undecided arms. `largest`: the largest differences of two runs without a clear change. */
  readonly chosen: "changed" | "largest";
  readonly others: readonly ComparedArm[];
}

/** Selects the arms of a comparison that are not just unchanged; for two runs, clear changes or else the largest. */
export function affected(comparison: VersionComparison): Affected {
  const arms = armsOf(comparison);
  const isJudged = comparison.kind === "side-by-side";
  const isShown = ({ state }: ComparedArm): boolean =>
    state === "worse" || state === "better" || (isJudged && state === "undecided");
  const shown = mostGrave(arms.filter(isShown));
  if (shown.length > 0 || isJudged) {
    return { arms: shown, chosen: "changed", others: arms.filter((arm) => !isShown(arm)) };
  }
  const ordered = mostGrave(arms).toSorted((one, other) => largestChange(other) - largestChange(one));
  return { arms: ordered.slice(0, largestShown), chosen: "largest", others: ordered.slice(largestShown) };
}

export interface Verdict {
  /** `FAIL`, `PASS`, `INCONCLUSIVE`, `NO VERDICT`. */
  readonly word: string;
  readonly state: PairedComparison["verdict"] | "none";
  /** Continues the word: one sentence. */
  readonly headline: string;
  /** The certainty, one sentence each. */
  readonly sureness: readonly string[];
  /** What to do; may be empty. */
  readonly next: string;
}

const armsNamed = 3;

const shortCommit = 7;

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function sentence(clause: string): string {
  return `${capital(clause)}.`;
}

function allOf(metrics: number): string {
  return metrics === 1 ? "the one metric" : `all ${metrics} metrics`;
}

function namesOf(
  arms: readonly ComparedArm[],
  state: ComparedCell["state"],
  name: ReturnType<typeof armNames>,
): string {
  const named = arms.slice(0, armsNamed).map(({ cells }) => {
    const changed = cells.filter((cell) => cell.state === state);
    const changes = changed.map(({ metric, ratio }) => `${metricLabel(metric)} ${changeText(ratio)}`);
    return `${name(changed[0] as ComparedCell)} (${changes.join(", ")})`;
  });
  const others = arms.length - armsNamed;
  return listed([...named, ...(others > 0 ? [counted(others, "other arm")] : [])]);
}

function armsWith(comparison: PairedComparison, state: ComparedCell["state"]): readonly ComparedArm[] {
  return armsOf(comparison)
    .filter(({ cells }) => cells.some((cell) => cell.state === state))
    .toSorted((one, other) => largestChange(other) - largestChange(one));
}

/** A version as the user named it, with its commit, and whether files differed from it: `main (4f1c2ab)`. */
export function versionText({ label, commit, dirty }: VersionComparison["base"]): string {
  const short = commit?.slice(0, shortCommit);
  const isSame = short !== undefined && label.startsWith(short);
  const notes = [
    ...(short === undefined || isSame ? [] : [short]),
    ...(dirty === true ? ["with uncommitted changes"] : []),
  ];
  return notes.length === 0 ? label : `${label} (${notes.join(", ")})`;
}

/** What no verdict rests on and still moved, as the first sentence of every document; empty where nothing did. */
function movedSentence(comparison: VersionComparison): string {
  const moved = movedText(comparison);
  return moved === "" ? "" : `Not judged, but changed: ${moved}. `;
}

/** What the machine did meanwhile, which the verdict's reader must know: other processes, warm-ups that were cut off. */
const ofMachine: ReadonlySet<string> = new Set(["busy", "throttled", "unsettled", "warm-up-hidden"]);

function machineSentences({ warnings }: VersionComparison): readonly string[] {
  return warnings.filter(({ code }) => ofMachine.has(code)).map(({ message }) => sentence(message));
}

/** The warnings that the verdict does not contain already. */
export function otherWarnings(comparison: VersionComparison): readonly Warning[] {
  const isOpen = comparison.kind === "side-by-side" && comparison.verdict !== "pass";
  return comparison.warnings.filter(({ code }) => code !== "different-jobs" && !(isOpen && ofMachine.has(code)));
}

function durationOf({ rounds, durationMs }: PairedComparison): string {
  return `${counted(rounds, "round")} in ${Math.round(durationMs / 1000)} s`;
}

function fail(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { head, base, alpha, tolerate, recheck } = comparison;
  const again = recheck === null ? "" : ` ${counted(recheck.rounds, "fresh round")} showed it again, in new processes.`;
  return {
    word: "FAIL",
    headline: `${versionText(head)} costs more than ${versionText(base)}: ${namesOf(armsWith(comparison, "worse"), "worse", armNames(comparison))}.`,
    sureness: [
      `${durationOf(comparison)}; a job in which nothing lost more than ${shareText(tolerate)} fails with a probability of at most ${shareText(alpha)}.${again}`,
      ...machineSentences(comparison),
    ],
    next: "If the loss is wanted, raise --tolerate.",
  };
}

function pass(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { cells, head, base, detect, passAlpha } = comparison;
  const most = cells
    .filter((cell) => mostLost(cell) !== null)
    .toSorted((one, other) => (mostLost(other) ?? 0) - (mostLost(one) ?? 0))[0];
  const name = armNames(comparison);
  const fits =
    most === undefined
      ? ""
      : ` The most that fits what was seen is ${changeText(mostLost(most) ?? 1)} (${name(most)}, ${metricLabel(most.metric)}).`;
  const better = armsWith(comparison, "better");
  const gains = better.length === 0 ? "" : ` It gained: ${namesOf(better, "better", name)}.`;
  return {
    word: "PASS",
    headline: `${capital(judgedText(comparison))} rose by less than ${shareText(detect)} from ${versionText(base)} to ${versionText(head)}, in ${allOf(cells.length)}.${gains}`,
    sureness: [
      `${durationOf(comparison)}; a job in which something lost ${shareText(detect)} or more passes with a probability of at most ${shareText(passAlpha)}.${fits}`,
      `Judged: ${judgedText(comparison)} alone. Means and tails are shown, not judged.`,
    ],
    next: "",
  };
}

function inconclusive(comparison: PairedComparison): Omit<Verdict, "state"> {
  const { cells, reason, mostRounds } = comparison;
  const ways = waysOut(comparison);
  const known = cells.filter(({ smallestDetectable }) => smallestDetectable !== null);
  const worst = known.toSorted((one, other) => (other.smallestDetectable ?? 0) - (one.smallestDetectable ?? 0))[0];
  const name = armNames(comparison);
  const seen =
    worst === undefined
      ? []
      : [
          `With noise like this, ${counted(mostRounds, "round")} find a loss of ${shareText(Number((worst.smallestDetectable ?? 0).toPrecision(2)))} nine times in ten (${name(worst)}, ${metricLabel(worst.metric)}; elsewhere smaller ones).`,
        ];
  return {
    word: "INCONCLUSIVE",
    headline: sentence(reason),
    sureness: [
      `${durationOf(comparison)}; this is neither a pass nor a fail.`,
      ...seen,
      ...machineSentences(comparison),
    ],
    next: `${ways.length === 0 ? "Use a quieter machine" : `At this noise ${ways.join(" or ")} should decide it, or use a quieter machine`}; --strict makes this a failure.`,
  };
}

const ofVerdict = { fail, pass, inconclusive } as const;

function withoutVerdict(comparison: VersionComparison): Omit<Verdict, "state"> {
  const gate = comparison.warnings.find(({ code }) => code === "different-jobs");
  return {
    word: "NO VERDICT",
    headline: `${comparison.head.label} and ${comparison.base.label} were measured in different jobs.`,
    sureness: gate === undefined ? [] : [sentence(gate.message)],
    next: "roundtrip compare with two git revisions measures both side by side in one job, which can be judged.",
  };
}

/** The verdict of a comparison; for two runs `NO VERDICT` with the reason. A tail or mean that moved comes first, whatever the verdict. */
export function verdictOf(comparison: VersionComparison): Verdict {
  const isJudged = comparison.kind === "side-by-side";
  const words = isJudged ? ofVerdict[comparison.verdict](comparison) : withoutVerdict(comparison);
  return {
    ...words,
    state: isJudged ? comparison.verdict : "none",
    headline: `${movedSentence(comparison)}${words.headline}`,
  };
}
