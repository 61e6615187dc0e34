// A common rule of scripts: Welch's t test on all requests, as if they were independent.
import type { ArmRound, OtherRule } from "./stored-rounds.ts";

const rounds = 30;

/** Two-sided 5 % of the normal distribution, which t approaches with tens of thousands of requests. */
const critical = 1.96;

/** The mean of all requests and its squared standard error, as if they were independent. */
function pooled(arm: readonly ArmRound[]): { readonly mean: number; readonly squaredError: number } {
  const count = arm.reduce((sum, round) => sum + round.count, 0);
  const mean = arm.reduce((sum, round) => sum + round.mean * round.count, 0) / count;
  const squares = arm.reduce((sum, round) => sum + (round.variance + (round.mean - mean) ** 2) * round.count, 0);
  return { mean, squaredError: squares / (count - 1) / count };
}

/** B. L. Welch, "The Generalization of 'Student's' Problem when Several Different Population Variances are Involved", Biometrika 34 (1947). */
export const welchOnRequests: OtherRule = {
  name: "Welch's t on all requests of 30 rounds, 5 %",
  judge({ base, head }) {
    const [before, after] = [pooled(base.slice(0, rounds)), pooled(head.slice(0, rounds))];
    const t = (after.mean - before.mean) / Math.sqrt(before.squaredError + after.squaredError);
    return { isAlarm: t > critical, rounds };
  },
};
