// The table of docs/libraries.md on what a core of each server carries.
import type { Analysis, Summary } from "../packages/analysis/src/index.ts";
import { markdownTable } from "./markdown-table.ts";

interface Analysed {
  readonly analysis: Pick<Analysis, "arms" | "summaries">;
}

/** Calls for each second of CPU time of the server, rounded; a dash where nothing was measured. */
function callsPerCpuSecond(cpuMsPerCall: number | null | undefined): string {
  return cpuMsPerCall === undefined || cpuMsPerCall === null
    ? "–"
    : (Math.round(100 / cpuMsPerCall) * 10).toLocaleString("en");
}

/** What a core of each server carries, as each load generator of the run measured it. @param drivers variants of an arm, and who made their calls. */
export function throughput(drivers: Readonly<Record<string, string>>): (finished: Analysed) => string {
  return ({ analysis: { arms, summaries } }) => {
    const cpuOf = (armId: string | undefined): Summary | undefined =>
      summaries.find((summary) => summary.armId === armId && summary.metric === "serverCpuMsPerTask");
    const [first = ""] = Object.keys(drivers);
    const measured = arms.filter(({ role, variant }) => role === "style" && variant === first);
    const rows = measured.map(({ stack, stackTitle }) => {
      const cells = Object.keys(drivers).flatMap((driver) => {
        const cpu = cpuOf(arms.find((arm) => arm.stack === stack && arm.variant === driver)?.id);
        const [low, high] = [callsPerCpuSecond(cpu?.meanHigh), callsPerCpuSecond(cpu?.meanLow)];
        return [callsPerCpuSecond(cpu?.mean), low === "–" ? low : `${low} to ${high}`];
      });
      return [stackTitle, ...cells];
    });
    return markdownTable(
      ["stack", ...Object.values(drivers).flatMap((name) => [name, "95 % interval"])],
      rows.toSorted(([one = ""], [other = ""]) => one.localeCompare(other, "en")),
    ).trimEnd();
  };
}
