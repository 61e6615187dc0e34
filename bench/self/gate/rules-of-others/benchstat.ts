// The rule of benchstat: https://github.com/golang/perf (benchmath/anone.go, sample.go), commit 712aea8.
import { median } from "d3-array";
import { mannWhitneyP } from "./mann-whitney.ts";
import type { OtherRule } from "./stored-rounds.ts";

/** Its documentation asks for at least ten runs of each version. */
const runs = 10;
const alpha = 0.05;

/** A Mann–Whitney U test of the two samples in each row of its table, at 5 % a row; the version with the larger median is worse. */
export const benchstat: OtherRule = {
  name: "benchstat: Mann–Whitney U on 10 rounds, 5 % a row",
  judge({ base, head }) {
    const before = base.slice(0, runs).map(({ mean }) => mean);
    const after = head.slice(0, runs).map(({ mean }) => mean);
    const isWorse = (median(after) ?? Number.NaN) > (median(before) ?? Number.NaN);
    return { isAlarm: isWorse && mannWhitneyP(before, after) < alpha, rounds: runs };
  },
};
