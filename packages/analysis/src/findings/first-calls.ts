// What the first call between fresh processes costs, with its range: a few starts give no interval.
import type { Finding } from "./finding.ts";
import { distanceFactor } from "../distance/measured-distance.ts";
import type { Arm } from "../run/run-facts.ts";
import type { Summary } from "../metrics/summary.ts";
import { counted, durationRange, durationText, listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";
import { workText } from "./phrases.ts";

function startsText(counts: readonly number[]): string {
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  if (most === 1) return "one start each";
  return `median and range of ${fewest === most ? counted(most, "start") : `${fewest} to ${most} starts`}`;
}

function distanceOf({ factors }: Arm): number {
  return Number(factors[distanceFactor] ?? 0);
}

/**
 * One sentence for each kind of task with a first call. The studies of a run share the one cold call of a pair of processes in turn, each with its
 * own first arm. So each of two studies has half of the rounds.
 */
export function firstCalls(study: string, evidence: Evidence): readonly Finding[] {
  const { generator } = evidence.measured;
  // A generator's later calls come from another client, so no multiple of them is reported.
  const laterOf = ({ id }: Arm): Summary | undefined =>
    generator === undefined ? evidence.summary(id, "latencyMs") : undefined;
  const whose = generator === undefined ? "" : `, made by this project's own client before ${generator} began`;
  const rows = evidence.measured.arms.flatMap((arm) => {
    const first = evidence.summary(arm.id, "firstCallMs");
    if (arm.study !== study || arm.role !== "style" || first === undefined) return [];
    return [{ arm, first, later: laterOf(arm) }];
  });
  // Of several distances only the farthest is stated; the findings about round trips cover the growth.
  const farthest = Math.max(...rows.map(({ arm }) => distanceOf(arm)));
  const said = rows.filter(({ arm }) => [0, farthest].includes(distanceOf(arm)));
  return [...Map.groupBy(said, ({ arm }) => workText(arm))].map(([work, alike]): Finding => {
    let isSaid = false;
    const each = alike.map(({ arm, first, later }) => {
      const range = first.n > 1 ? [durationRange(first.min, first.max)] : [];
      const times = later === undefined || later.p50 <= 0 ? [] : [`${threeDigits(first.p50 / later.p50)} ×`];
      const multiple = isSaid ? times : times.map((text) => `${text} a later one`);
      isSaid ||= times.length > 0;
      const warm = arm.target === undefined ? [] : ["the server ran already"];
      const notes = [...range, ...multiple, ...warm];
      return `${durationText(first.p50)} over ${arm.title}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
    });
    return {
      code: "first-call",
      study,
      sentence: `As the first call between fresh processes${whose}, ${work} took ${listed(each)}: ${startsText(alike.map(({ first }) => first.n))}.`,
      strength: "measured",
      armIds: alike.map(({ arm }) => arm.id),
    };
  });
}
