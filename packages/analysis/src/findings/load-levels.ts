// What a setting of a service buys under load: how many calls a second are answered with each of its levels when more are asked for.
import { listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import type { LoadSeries } from "../load/load-series.ts";
import { saidOnce } from "./phrases.ts";
import { keyOf } from "../run/arm-factors.ts";
import type { Arm } from "../run/run-facts.ts";

function isOfService(name: string): boolean {
  // A service's settings are named with their service.
  return name.includes(".");
}

/** `matrix.threads=4`; empty where everything is as usual. */
export function serviceLevel({ factors }: Pick<Arm, "factors">): string {
  const set = Object.entries(factors).filter(([name]) => isOfService(name));
  return set.map(([name, value]) => `${name}=${String(value)}`).join(", ");
}

/** The arm's factors without them. */
function withoutServiceLevel({ factors }: Pick<Arm, "factors">): Arm["factors"] {
  return Object.fromEntries(Object.entries(factors).filter(([name]) => !isOfService(name)));
}

/** The levels of one stack, the usual one first. */
type Levels = readonly LoadSeries[];

function likeness({ task, alone }: LoadSeries): string {
  return JSON.stringify([task, alone.stack, alone.variant, keyOf(withoutServiceLevel(alone))]);
}

/** The study's levels of each stack; where it has one only, beside the usual one of another study of the run. */
function levelsOf(study: string, all: readonly LoadSeries[]): readonly Levels[] {
  const own = all.filter((series) => series.study === study && serviceLevel(series.alone) !== "");
  return [...Map.groupBy(own, likeness)].flatMap(([key, levels]): readonly Levels[] => {
    const usual = all.find((series) => likeness(series) === key && serviceLevel(series.alone) === "");
    const [first, ...others] = levels;
    if (first === undefined) return [];
    if (others.length > 0) return [levels];
    return usual === undefined ? [] : [[usual, first]];
  });
}

function ratesOf({ points }: LoadSeries): readonly number[] {
  return points.map(({ rateHz }) => rateHz);
}

/** The highest rate that all of them were asked for. */
function commonHz(levels: readonly LoadSeries[]): number | undefined {
  const [first, ...others] = levels;
  const common = (first === undefined ? [] : ratesOf(first)).filter((rateHz) =>
    others.every((one) => ratesOf(one).includes(rateHz)),
  );
  return common.at(-1);
}

function answeredText(series: LoadSeries, rateHz: number, evidence: Evidence): string {
  const point = series.points.find((one) => one.rateHz === rateHz);
  const answered = point && evidence.summary(point.armId, "callsPerSecond");
  if (answered === undefined) return "an unknown number";
  const { mean, meanLow, meanHigh } = answered;
  const interval =
    meanLow === null || meanHigh === null ? "" : ` (95 % interval ${threeDigits(meanLow)} to ${threeDigits(meanHigh)})`;
  return `${threeDigits(mean)}${interval}`;
}

/** Of one processor, the server's at this rate: whether it could carry more. Empty where it is not known. */
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
  // In the order of the sentence, so that its first brackets say what they hold.
  const all = stacks.flatMap((levels) => (isAgainstUsual ? levels.toReversed() : levels));
  const texts = saidOnce(all.map((series) => answeredText(series, rateHz, evidence)));
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

/** One sentence for each task of the study whose service was set to something. */
export function loadLevels(study: string, evidence: Evidence): readonly Finding[] {
  const stacks = levelsOf(study, evidence.measured.loadSeries);
  return [...Map.groupBy(stacks, ([first]) => first?.task).values()].flatMap((ofTask): readonly Finding[] => {
    const rateHz = commonHz(ofTask.flat());
    if (rateHz === undefined) return [];
    const points = ofTask.flat().flatMap((series) => series.points.filter((one) => one.rateHz === rateHz));
    return [
      {
        code: "load-levels",
        study,
        sentence: sentenceOf(ofTask, rateHz, evidence),
        strength: "measured",
        armIds: points.map(({ armId }) => armId),
      },
    ];
  });
}
