// Settings of a gate: which change to tolerate, which to find, and the maximum error probabilities.
import { AnalysisError } from "../basics/analysis-error.ts";
import { looksUpTo, roundLimits } from "./round-plan.ts";

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
