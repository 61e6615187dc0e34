// Head's figures for the dashboard of github-action-benchmark, in the format of its tool `customSmallerIsBetter`.
import type { VersionComparison } from "@roundtrip/analysis";
import type { ComparisonFormat } from "../registry/format.ts";
import { number } from "../basics/quantity.ts";
import { armIdOf, changeRange, changeText, latencyText, memoryText } from "../comparisons/cell-label.ts";

/** One point of a chart. `name` identifies the chart, so it must never change. */
interface Entry {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly range: string;
  readonly extra: string;
}

/** The value is the median, which the verdict rests on; a task's latencies stand beside every metric of its arm. */
function entries({ cells, latencies, memory }: VersionComparison): readonly Entry[] {
  const latencyOf = new Map(latencies.map((latency) => [latency.id, latencyText(latency)]));
  const memoryOf = new Map(memory.map((row) => [row.id, memoryText(row)]));
  return cells.map((cell) => {
    const { id, base, head, ratio, low, high, state, rounds } = cell;
    const interval = low === null && high === null ? "" : ` (95 % interval ${changeRange(low, high)})`;
    const [latency, held] = [latencyOf, memoryOf].map((texts) => texts.get(armIdOf(cell)));
    return {
      name: id,
      unit: "ms",
      value: head.p50,
      range: `± ${number(head.stddev)}`,
      extra: [
        `base: ${number(base.p50)} ms`,
        `change: ${changeText(ratio)}${interval}`,
        `state: ${state}`,
        `rounds: ${rounds.head}`,
        ...(latency === undefined ? [] : [`latency: ${latency}`]),
        ...(held === undefined ? [] : [held]),
      ].join("\n"),
    };
  });
}

export const format: ComparisonFormat = {
  name: "github-action-benchmark",
  fileName: "github-action-benchmark.json",
  render: ({ comparison }) => `${JSON.stringify(entries(comparison), null, 2)}\n`,
};
