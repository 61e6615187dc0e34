// Which style is fastest for a task, and by how much.
import type { Comparison } from "../comparison/comparison.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { groupsOf } from "../basics/groups-of.ts";
import { counted, listed, ratioText } from "../basics/words.ts";
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { byStyle, pairsWithin, styleReferences } from "../comparison/stack-pairs.ts";
import type { Evidence } from "./evidence.ts";
import { byVerdict, intervalText, withoutRepeatedIntervalText, timesOver, workText, type ArmRatio } from "./phrases.ts";

function unclear(one: Arm, other: Arm, comparison: Comparison): Finding {
  const about = { study: one.study, armIds: [one.id, other.id] };
  const work = workText(one);
  if (comparison.verdict === "indistinguishable") {
    return {
      ...about,
      code: "no-difference",
      strength: "none",
      sentence: `${one.title} and ${other.title} take the same time for ${work}, within 2 % (ratio ${ratioText(comparison.ratio)}, ${intervalText(comparison)}).`,
    };
  }
  if (comparison.low === null) {
    return {
      ...about,
      code: "too-few-rounds",
      strength: "inconclusive",
      sentence: `For ${work} ${one.title} took ${ratioText(comparison.ratio)} × the time of ${other.title}, but ${counted(comparison.rounds, "round")} cannot distinguish that from chance.`,
    };
  }
  return {
    ...about,
    code: "no-difference",
    strength: "inconclusive",
    sentence: `For ${work} no difference was found between ${one.title} and ${other.title} (ratio ${ratioText(comparison.ratio)}, ${intervalText(comparison)}).`,
  };
}

function fasterThan(
  first: Arm,
  slower: readonly ArmRatio[],
  isFastest: boolean,
  strength: Finding["strength"],
): Omit<Finding, "study"> {
  const each = slower.map(
    ({ arm, comparison }, index) =>
      `${ratioText(comparison.ratio)} × ${index === 0 ? "the time" : "that"} of ${arm.title} (${intervalText(comparison)})`,
  );
  const rank = isFastest ? "fastest" : `faster than ${listed(slower.map(({ arm }) => arm.title))}`;
  const verb = strength === "likely" ? "is likely" : "is";
  return {
    code: "fastest",
    sentence: `${first.title} ${verb} ${rank} for ${workText(first)}: ${listed(withoutRepeatedIntervalText(each))}.`,
    strength,
    armIds: [first.id, ...slower.map(({ arm }) => arm.id)],
  };
}

function ranked(arms: readonly Arm[], evidence: Evidence): readonly Arm[] {
  return arms
    .flatMap((arm) => {
      const latency = evidence.summary(arm.id, "latencyMs");
      return latency === undefined ? [] : [{ arm, mean: latency.mean }];
    })
    .toSorted((one, other) => one.mean - other.mean)
    .map(({ arm }) => arm);
}

function slowerThan(first: Arm, others: readonly Arm[], evidence: Evidence): readonly ArmRatio[] {
  return others.flatMap((arm) => {
    const comparison = evidence.comparison(first.id, arm.id);
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
}

/** One sentence for the clear differences from the fastest style, one for each pair whose order is not clear. */
function acrossStyles(arms: readonly Arm[], evidence: Evidence, isComplete: boolean): readonly Finding[] {
  const [first, ...others] = ranked(arms, evidence);
  if (first === undefined || others.length === 0) return [];
  const toFirst = slowerThan(first, others, evidence);
  const slower = toFirst.filter(({ comparison }) => comparison.verdict === "different");
  // Neighbours further down the ranking, where their order is not clear either.
  const neighbours = others.slice(1).flatMap((other, index) => {
    const one = others[index] as Arm;
    const comparison = evidence.comparison(one.id, other.id);
    return comparison === undefined || comparison.low === null || comparison.verdict === "different"
      ? []
      : [unclear(one, other, comparison)];
  });
  return [
    ...byVerdict(slower).map(([strength, alike]) => {
      const isFastest = isComplete && alike.length === others.length;
      return { ...fasterThan(first, alike, isFastest, strength), study: first.study };
    }),
    ...toFirst
      .filter(({ comparison }) => comparison.verdict !== "different")
      .map(({ arm, comparison }) => unclear(first, arm, comparison)),
    ...neighbours,
  ];
}

function withinStyle(ofStyle: readonly Arm[], evidence: Evidence): readonly Finding[] {
  const rows = pairsWithin(ofStyle).flatMap(([base, arm]) => {
    const comparison = evidence.comparison(arm.id, base.id);
    return comparison === undefined ? [] : [{ base, arm, comparison }];
  });
  return groupsOf(rows, ({ base }) => base).flatMap((group) =>
    byVerdict(group).map(([strength, alike]) => {
      const [{ base }] = group;
      return {
        code: "within-style",
        study: base.study,
        sentence: `Against ${base.title}, ${workText(base)} takes ${timesOver(alike)}.`,
        strength,
        armIds: [base.id, ...alike.map(({ arm }) => arm.id)],
      };
    }),
  );
}

/** The fastest style, each represented by its first stack; then the other servers and clients of each style. */
export function fastest(cell: Cell, evidence: Evidence): readonly Finding[] {
  const compared = comparableArms(cell);
  return [
    ...acrossStyles(styleReferences(compared), evidence, compared.length === cell.arms.length),
    ...byStyle(compared).flatMap((ofStyle) => withinStyle(ofStyle, evidence)),
  ];
}

export function floorMultiple({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const multiples = arms.flatMap((arm) => {
    const comparison = evidence.measured.comparisons.find(
      (candidate) => candidate.kind === "floor" && candidate.numeratorId === arm.id,
    );
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
  return byVerdict(multiples).map(([strength, rows]) => {
    const work = workText((rows[0] as ArmRatio).arm);
    return {
      code: "floor-multiple",
      study,
      sentence: `Against a raw TCP echo of the bare messages, ${work} takes ${timesOver(rows)}.`,
      strength,
      armIds: rows.map(({ arm }) => arm.id),
    };
  });
}
