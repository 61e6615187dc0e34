// What a gate is asked: which change to tolerate, which to find, and how often it may be wrong.
import { AnalysisError } from "../basics/analysis-error.ts";

export interface GateSettings {
  /** τ: a change up to this part is no reason to fail (0.02 is 2 %). */
  readonly tolerate: number;
  /** Δ: a pass says that no cell changed by this part or more. */
  readonly detect: number;
  /** The probability of a FAIL, anywhere in the whole job, when no cell is beyond `tolerate`. */
  readonly alpha: number;
  /** The probability of a PASS when some cell is at or beyond `detect`. */
  readonly passAlpha: number;
  /** Numbers of rounds after which the job is judged, ascending; the last is the planned length of a job. */
  readonly looks: readonly number[];
  /** At most so many sign flips: the largest power of two within it is used. */
  readonly flips: number;
  readonly seed: number;
}

export const gateDefaults: GateSettings = {
  tolerate: 0.02,
  detect: 0.05,
  alpha: 0.01,
  passAlpha: 0.05,
  looks: [8, 10, 12, 15, 20, 25, 30],
  flips: 10_000,
  seed: 1,
};

/** Beyond these a gate would compute for long, and say nothing that fewer would not. */
const mostRounds = 200;
const mostFlips = 2 ** 17;
const fewestFlips = 2 ** 8;

function require(holds: boolean, message: string): void {
  if (!holds) throw new AnalysisError("bad-option", message);
}

/** What was seen is one of so many ways to turn signs, and no test has a smaller level than that part: rounded up, so that it can be given. */
function smallestAlpha(signs: number): number {
  const digits = 1e6;
  return Math.ceil(digits / signs) / digits;
}

/** Throws `bad-option` for settings that make no test. */
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
    planned <= mostRounds, `looks must be ascending whole numbers from 1 to ${mostRounds}, not ${looks.join(", ")}`);
  require(flips >= fewestFlips && flips <= mostFlips, `flips is ${flips}, not from ${fewestFlips} to ${mostFlips}`);
  const signs = 2 ** Math.min(planned, Math.floor(Math.log2(flips)));
  require(alpha * signs >= 1, `alpha is ${alpha}, and no such job could fail: at least ${smallestAlpha(signs)} can`);
  require(Number.isFinite(seed), `seed is ${seed}, not a number`);
}
