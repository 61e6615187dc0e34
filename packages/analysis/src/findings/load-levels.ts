// What a setting of a service changes under load: calls answered per second at each of its levels.
import { groupsOf } from "../basics/groups-of.ts";
import { listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import type { LoadSeries } from "../load/load-series.ts";
import { countWithInterval, withoutRepeatedIntervalText } from "./phrases.ts";
import { keyOf } from "../run/arm-factors.ts";
import type { Arm } from "../run/run-facts.ts";

function isOfService(name: string): boolean {
  // A service's settings contain the name of their service.
  return name.includes(".");
}

/** `matrix.threads=4`; empty at the defaults. */
export function serviceLevel({ factors }: Pick<Arm, "factors">): string {
  const set = Object.entries(factors).filter(([name]) => isOfService(name));
  return set.map(([name, value]) => `${name}=${String(value)}`).join(", ");
}

function withoutServiceLevel({ factors }: Pick<Arm, "factors">): Arm["factors"] {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => !isOfService(name)));
}

type Levels = readonly LoadSeries[];

function likeness({ task, alone }: LoadSeries): string {
  return JSON.stringify([task, alone.stack, alone.variant, keyOf(withoutServiceLevel(alone))]);
}

/** The study's levels of each stack. A single level is paired with the default level of another study in the run. */
function levelsOf(study: string, all: readonly LoadSeries[]): readonly Levels[] {
  const own = all.filter((series) => series.study === study && serviceLevel(series.alone) !== "");
  return groupsOf(own, likeness).flatMap((levels): readonly Levels[] => {
    const [first, ...others] = levels;
    if (others.length > 0) return [levels];
    const usual = all.find((one) => likeness(one) === likeness(first) && serviceLevel(one.alone) === "");
    return usual === undefined ? [] : [[usual, first]];
  });
}

function ratesOf({ points }: LoadSeries): readonly number[] {
  return points.map(({ rateHz }) => rateHz);
}

function commonHz([first, ...others]: readonly LoadSeries[]): number | undefined {
  return first && ratesOf(first).findLast((rateHz) => others.every((one) => ratesOf(one).includes(rateHz)));
}

function answeredText(series: LoadSeries, rateHz: number, evidence: Evidence): string {
  const point = series.points.find((one) => one.rateHz === rateHz);
  const answered = point && evidence.summary(point.armId, "callsPerSecond");
  return answered === undefined ? "an unknown number" : countWithInterval(answered);
}

function busyText(levels: Levels, rateHz: number, evidence: Evidence): string {
  const shares = levels.flatMap(({ alone, points }): readonly number[] => {
    const armId = points.find((one) => one.rateHz === rateHz)?.armId ?? "";
    const [ofTask, perSecond] = [
      evidence.summary(armId, "serverCpuMsPerTask"),
      evidence.summary(armId, "callsPerSecond"),
    ];
    if (ofTask === undefined || perSecond === undefined) return [];
    return [Math.round((ofTask.mean * perSecond.mean) / alone.callsPerTask / 10)];
  });
  if (shares.length === 0) return "";
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  return `, with ${least === most ? least : `${least} to ${most}`} % of one processor busy`;
}

function sentenceOf(stacks: readonly Levels[], rateHz: number, evidence: Evidence): string {
  const [first, second] = stacks[0] ?? [];
  if (first === undefined) return "";
  const isAgainstUsual = second !== undefined && serviceLevel(first.alone) === "";
  // In sentence order, so that the first brackets explain the others.
  const all = stacks.flatMap((levels) => (isAgainstUsual ? levels.toReversed() : levels));
  const texts = withoutRepeatedIntervalText(all.map((series) => answeredText(series, rateHz, evidence)));
  const said = all.map((series, index) => ({ series, text: texts[index] ?? "" }));
  const asked = `Asked for ${threeDigits(rateHz)} ${first.task} calls a second`;
  const each = [...Map.groupBy(said, ({ series }) => series.alone.stack).values()].map((levels) => {
    const title = levels[0]?.series.alone.title ?? "";
    if (isAgainstUsual) return `${levels[0]?.text ?? ""} over ${title} in place of ${levels[1]?.text ?? ""}`;
    const answered = levels.map(({ series, text }) => `${text} with ${serviceLevel(series.alone)}`);
    const ofStack = levels.map(({ series }) => series);
    return `${title} answered ${listed(answered)}${busyText(ofStack, rateHz, evidence)}`;
  });
  return isAgainstUsual
    ? `${asked}, servers with ${serviceLevel(second.alone)} answered ${listed(each)}.`
    : `${asked}, ${listed(each)}.`;
}

export function loadLevels(study: string, evidence: Evidence): readonly Finding[] {
  const stacks = levelsOf(study, evidence.measured.loadSeries);
  return [...Map.groupBy(stacks, ([first]) => first?.task).values()].flatMap((ofTask): Finding | readonly Finding[] => {
    const rateHz = commonHz(ofTask.flat());
    if (rateHz === undefined) return [];
    const points = ofTask.flat().flatMap((series) => series.points.filter((one) => one.rateHz === rateHz));
    return {
      code: "load-levels",
      study,
      sentence: sentenceOf(ofTask, rateHz, evidence),
      strength: "measured",
      armIds: points.map(({ armId }) => armId),
    };
  });
}
