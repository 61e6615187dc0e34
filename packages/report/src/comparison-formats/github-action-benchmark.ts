// Head's figures for the dashboard of github-action-benchmark, in the format of its tool `customSmallerIsBetter`.
import type { ComparedCell } from "@roundtrip/analysis";
import type { ComparisonFormat } from "../registry/format.ts";
import { number } from "../basics/quantity.ts";
import { changeRange, changeText } from "../comparisons/change-text.ts";

/** One point of a chart. `name` identifies the chart, so it must never change. */
interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range: string;
  readonly extra: string;
}

function entryOf({ id, base, head, ratio, low, high, state, rounds }: ComparedCell): Entry {
  const interval = low === null && high === null ? "" : ` (95 % interval ${changeRange(low, high)})`;
  return {
    name: id,
    unit: "ms",
    value: head.mean,
    range: `± ${number(head.stddev)}`,
    extra: [
      `base: ${number(base.mean)} ms`,
      `change: ${changeText(ratio)}${interval}`,
      `state: ${state}`,
      `rounds: ${rounds.head}`,
      `median: ${number(head.p50)} ms`,
    ].join("\n"),
  };
}

export const format: ComparisonFormat = {
  name: "github-action-benchmark",
  fileName: "github-action-benchmark.json",
  render: ({ comparison }) => `${JSON.stringify(comparison.cells.map(entryOf), null, 2)}\n`,
};
