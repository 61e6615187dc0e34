// The rule of dashboards such as github-action-benchmark: an alarm if a figure is a tenth above the one before
// (https://github.com/benchmark-action/github-action-benchmark, src/write.ts, findAlerts, commit c38cce9; its own default is 200 %).
import { mean } from "d3-array";
import type { OtherRule, StoredRounds } from "./stored-rounds.ts";

const rounds = 30;
const threshold = 1.1;

/** Mean of head ÷ mean of base, both over all rounds. */
function ratioOf({ base, head }: StoredRounds): number {
  const [before, after] = [base, head].map((arm) => mean(arm.slice(0, rounds), ({ mean: of }) => of) ?? Number.NaN);
  return (after ?? Number.NaN) / (before ?? Number.NaN);
}

export const fixedRatio: OtherRule = {
  name: "fixed threshold: mean of 30 rounds 10 % above",
  judge: (cell) => ({ isAlarm: ratioOf(cell) > threshold, rounds }),
};

/** The same as used in practice: the figure of base is from an earlier job, which is off by this factor. */
export function fixedRatioAcrossJobs(earlier: number): OtherRule {
  return {
    name: "fixed threshold: 10 % above the figure of an earlier job",
    judge: (cell) => ({ isAlarm: ratioOf(cell) / earlier > threshold, rounds }),
  };
}
