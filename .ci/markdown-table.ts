// Formats tables and figures of generated pages about the gate.
import { exactInterval } from "../bench/self/gate/exact-interval.ts";

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |\n`;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

export function percent(part: number, digits: number): string {
  return (100 * part).toFixed(digits);
}

/** `0.16 % (0.09 to 0.26)`: a count of jobs with its exact 95 % interval. */
export function shareOfJobs(count: number, jobs: number, digits = 1): string {
  const { low, high } = exactInterval(count, jobs);
  return `${percent(count / jobs, digits)} % (${percent(low, digits)} to ${percent(high, digits)})`;
}
