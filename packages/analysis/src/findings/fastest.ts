// Which style was fastest for a task, by how much, and between which no difference was found.
import type { Comparison } from "../comparison/comparison.ts";
import type { Finding } from "./finding.ts";
import type { Arm } from "../run/run-facts.ts";
import { counted, listed, ratioText } from "../basics/words.ts";
import { comparableArms, type Cell } from "../comparison/leading-cell.ts";
import { byStyle, styleReferences } from "../comparison/stack-pairs.ts";
import type { Evidence } from "./evidence.ts";
import { byStrength, intervalText, saidOnce, strengthOfVerdict, workText } from "./phrases.ts";

/** An arm that another is held against. */
interface Slower {
  readonly other: Arm;
  readonly comparison: Comparison;
}

/** What can be said of two arms whose difference is not clear. */
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

/** That the first arm is faster than each of these. */
function fasterThan(
  first: Arm,
  slower: readonly Slower[],
  isFastest: boolean,
  strength: Finding["strength"],
): Omit<Finding, "study"> {
  const each = slower.map(
    ({ other, comparison }, index) =>
      `${ratioText(comparison.ratio)} × ${index === 0 ? "the time" : "that"} of ${other.title} (${intervalText(comparison)})`,
  );
  const rank = isFastest ? "fastest" : `faster than ${listed(slower.map(({ other }) => other.title))}`;
  const verb = strength === "likely" ? "is likely" : "is";
  return {
    code: "fastest",
    sentence: `${first.title} ${verb} ${rank} for ${workText(first)}: ${listed(saidOnce(each))}.`,
    strength,
    armIds: [first.id, ...slower.map(({ other }) => other.id)],
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

/** How these arms compare with one of them, those that were compared with it. */
function slowerThan(first: Arm, others: readonly Arm[], evidence: Evidence): readonly Slower[] {
  return others.flatMap((other) => {
    const comparison = evidence.comparison(first.id, other.id);
    return comparison === undefined ? [] : [{ other, comparison }];
  });
}

/** One sentence for the clear differences to the fastest style, one for each pair of which the order is not clear. */
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
    ...byStrength(slower, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, alike]) => {
      const isFastest = isComplete && alike.length === others.length;
      return { ...fasterThan(first, alike, isFastest, strength), study: first.study };
    }),
    ...toFirst
      .filter(({ comparison }) => comparison.verdict !== "different")
      .map(({ other, comparison }) => unclear(first, other, comparison)),
    ...neighbours,
  ];
}

/** How the other servers and clients of a style compare with the stack that stands for it: a sentence for each strength. */
function withinStyle(ofStyle: readonly Arm[], evidence: Evidence): readonly Finding[] {
  const [reference, ...others] = ofStyle;
  if (reference === undefined) return [];
  const rows = others.flatMap((other) => {
    const comparison = evidence.comparison(other.id, reference.id);
    return comparison === undefined ? [] : [{ other, comparison }];
  });
  return byStrength(rows, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, alike]) => {
    const each = alike.map(
      ({ other, comparison }, index) =>
        `${ratioText(comparison.ratio)} × ${index === 0 ? "as long " : ""}over ${other.title} (${intervalText(comparison)})`,
    );
    return {
      code: "within-style",
      study: reference.study,
      sentence: `Against ${reference.title}, ${workText(reference)} takes ${listed(saidOnce(each))}.`,
      strength,
      armIds: [reference.id, ...alike.map(({ other }) => other.id)],
    };
  });
}

/** Which style is fastest, each by the stack that stands for it, then what other servers and clients of a style change. */
export function fastest(cell: Cell, evidence: Evidence): readonly Finding[] {
  const compared = comparableArms(cell);
  return [
    ...acrossStyles(styleReferences(compared), evidence, compared.length === cell.arms.length),
    ...byStyle(compared).flatMap((ofStyle) => withinStyle(ofStyle, evidence)),
  ];
}

/** How far each style is from a raw TCP echo that does the same work. */
export function floorMultiple({ arms, study }: Cell, evidence: Evidence): readonly Finding[] {
  const multiples = arms.flatMap((arm) => {
    const comparison = evidence.measured.comparisons.find(
      (candidate) => candidate.kind === "floor" && candidate.numeratorId === arm.id,
    );
    return comparison === undefined ? [] : [{ arm, comparison }];
  });
  return byStrength(multiples, ({ comparison }) => strengthOfVerdict(comparison)).map(([strength, rows]) => {
    const each = rows.map(
      ({ arm, comparison }, index) =>
        `${ratioText(comparison.ratio)} × ${index === 0 ? "as long " : ""}over ${arm.title} (${intervalText(comparison)})`,
    );
    const work = workText((rows[0] as (typeof rows)[number]).arm);
    return {
      code: "floor-multiple",
      study,
      sentence: `Against a raw TCP echo of the bare messages, ${work} takes ${listed(saidOnce(each))}.`,
      strength,
      armIds: rows.map(({ arm }) => arm.id),
    };
  });
}
