// Settings of a gate: which change to tolerate, which to find, the maximum error probabilities, how many rounds, and where to look.
import { AnalysisError } from "../basics/analysis-error.ts";

/** Before the first look no figure decides anything, and the time of a round is known. More than the maximum would add nothing. */
export const roundLimits = { least: 8, most: 200 } as const;

const someLooks = [8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 100, 125, 150, 175];

/** Rounds after which a job of `planned` rounds is judged: close together at first, since most jobs end early. */
export function looksUpTo(planned: number): readonly number[] {
  return [...someLooks.filter((look) => look < planned), planned];
}

// A job that planned too few rounds would end with time left; one that planned too many loses little.

/** Rounds get shorter when stacks have passed. */
const shorterLater = 1.5;

export interface RoundTimes {
  /** The times of the rounds so far, at least one. */
  readonly roundsMs: readonly number[];
  readonly budgetMs: number;
  readonly stacks: number;
}

/**
 * Returns how many rounds as short as the shortest the budget holds: other programs that slowed down the first rounds may end. The time of a round is the same whichever version is called base, so a plan made from times alone leaves
 * the sign-flip test its level.
 */
export function roundsThatFit({ roundsMs, budgetMs, stacks }: RoundTimes): number {
  const spentMs = roundsMs.reduce((sum, ms) => sum + ms, 0);
  const roundMs = Math.min(...roundsMs);
  const fitting = (Math.max(0, budgetMs - spentMs) / roundMs) * (stacks > 1 ? shorterLater : 1);
  const planned = Math.floor(roundsMs.length + fitting);
  return Math.min(roundLimits.most, Math.max(roundLimits.least, planned));
}

/** Whether another round would end after the budget. It is expected to take as long as the longest of the last three. */
export function isOutOfTime({ roundsMs, budgetMs }: Pick<RoundTimes, "roundsMs" | "budgetMs">): boolean {
  const spentMs = roundsMs.reduce((sum, ms) => sum + ms, 0);
  return spentMs + Math.max(...roundsMs.slice(-3)) > budgetMs;
}

/**
 * Looks of a job that ends after `rounds`, earlier than planned, because time is over: the last look spends what is left of its errors. The earlier
 * looks spend more than they did, so that what they decided stays decided. Before the first look there is none.
 */
export function looksOfEnded(planned: readonly number[], rounds: number): readonly number[] {
  const last = planned.at(-1) ?? rounds;
  if (rounds < roundLimits.least || rounds >= last) return planned;
  return [...planned.filter((look) => look < rounds), rounds];
}

export interface GateSettings {
  /** τ: changes up to this share are tolerated (0.02 is 2 %). */
  readonly tolerate: number;
  /** Δ: a PASS means that no cell changed by this share or more. */
  readonly detect: number;
  /** Probability of a FAIL, anywhere in the whole job, when no cell exceeds `tolerate`. */
  readonly alpha: number;
  /** Probability of a PASS when some cell is at or beyond `detect`. */
  readonly passAlpha: number;
  /** Numbers of rounds after which to judge, ascending; the last is the planned length of a job. */
  readonly looks: readonly number[];
  /** Maximum sign flips: the largest power of two up to this is used. */
  readonly flips: number;
  readonly seed: number;
}

export const gateDefaults: GateSettings = {
  tolerate: 0.02,
  detect: 0.05,
  alpha: 0.01,
  passAlpha: 0.05,
  looks: looksUpTo(30),
  flips: 10_000,
  seed: 1,
};

/** Larger values would take long and add nothing. */
const mostFlips = 2 ** 17;
const fewestFlips = 2 ** 8;

function require(holds: boolean, message: string): void {
  if (!holds) throw new AnalysisError("bad-option", message);
}

/** The observed signs are one of `signs` patterns, so no test has a smaller level than 1 / signs. Rounded up, so that a user can enter it. */
function smallestAlpha(signs: number): number {
  const digits = 1e6;
  return Math.ceil(digits / signs) / digits;
}

/** Throws `bad-option` for invalid settings. */
export function checkGateSettings({ tolerate, detect, alpha, passAlpha, looks, flips, seed }: GateSettings): void {
  require(tolerate >= 0 &&
    tolerate < detect &&
    detect <= 10, `tolerate (${tolerate}) must be at least 0 and below detect (${detect}), which is at most 10`);
  require(alpha > 0 && alpha <= 0.5, `alpha is ${alpha}, not above 0 and at most 0.5`);
  require(passAlpha > 0 && passAlpha <= 0.5, `passAlpha is ${passAlpha}, not above 0 and at most 0.5`);
  const ascending = looks.every((look, index) => Number.isInteger(look) && look > (looks[index - 1] ?? 0));
  const planned = looks.at(-1) ?? 0;
  require(planned > 0 &&
    ascending &&
    planned <=
      roundLimits.most, `looks must be ascending whole numbers from 1 to ${roundLimits.most}, not ${looks.join(", ")}`);
  require(flips >= fewestFlips && flips <= mostFlips, `flips is ${flips}, not from ${fewestFlips} to ${mostFlips}`);
  const signs = 2 ** Math.min(planned, Math.floor(Math.log2(flips)));
  require(alpha * signs >= 1, `alpha is ${alpha}, and no such job could fail: at least ${smallestAlpha(signs)} can`);
  require(Number.isFinite(seed), `seed is ${seed}, not a number`);
}
