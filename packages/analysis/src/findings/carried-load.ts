// How much load each style carries while one call in a hundred takes no longer than the limit.
import { groupsOf } from "../basics/groups-of.ts";
import type { CarriedLoad } from "../load/carried-load.ts";
import type { Finding } from "./finding.ts";
import { durationText, listed, threeDigits } from "../basics/words.ts";
import type { Evidence } from "./evidence.ts";

function carriedText({ title, kind, rateHz, low, high, isGeneratorLimit }: CarriedLoad): string {
  const rate = `${threeDigits(rateHz)} a second`;
  if (kind === "less-than") return `${title} carried less than ${rate}, the lowest rate that was measured`;
  if (kind === "at-least") {
    return `${title} carried at least ${rate} (${isGeneratorLimit ? "the generator was the limit" : "no higher rate was tried"})`;
  }
  if (low === null && high === null) return `${title} carried ${rate}`;
  const ends = [low, high].map((end) => (end === null ? "beyond what was measured" : threeDigits(end)));
  return `${title} carried ${rate} (95 % interval ${ends.join(" to ")})`;
}

export function carriedLoad(study: string, { measured }: Evidence): readonly Finding[] {
  const ofStudy = measured.carriedLoads.filter((row) => row.study === study);
  return groupsOf(ofStudy, ({ task }) => task).map((rows) => {
    const [{ task, limitMs }] = rows;
    const unknown = rows.filter(({ kind }) => kind === "void").map(({ title }) => title);
    const known = rows.filter(({ kind }) => kind !== "void");
    const none =
      unknown.length === 0
        ? []
        : [`nothing is known of ${listed(unknown)}, whose generator was too late at every rate`];
    const each = known.toSorted((one, other) => other.rateHz - one.rateHz).map(carriedText);
    const said = [listed(each), ...none].filter((part) => part !== "").join("; ");
    return {
      code: "carried-load",
      study,
      sentence: `With at most one ${task} call in a hundred above ${durationText(limitMs)}, ${said}.`,
      strength: "measured",
      armIds: rows.flatMap(({ armIds }) => armIds),
    };
  });
}
