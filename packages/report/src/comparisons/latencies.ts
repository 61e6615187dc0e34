// What a task takes in base and head, whatever is judged: p50, p99 and mean as a table, and in words where a tail or a mean moved.
import {
  counted,
  listed,
  type ComparedLatency,
  type LatencyFigures,
  type VersionComparison,
} from "@roundtrip/analysis";
import { figureColumns, measuredRow, type Table } from "../basics/table.ts";
import { absent, number } from "../basics/quantity.ts";
import { armNames, changeText } from "./cell-label.ts";

type Statistic = keyof LatencyFigures;

const statistics: readonly Statistic[] = ["p50", "p99", "mean"];

const armsNamed = 3;

/** `1.20 → 1.31`, in milliseconds and with this unit; with the change where it moved. */
function figuresText({ base, head, moved }: ComparedLatency, statistic: Statistic, unit = ""): string {
  const [before, after] = [base[statistic], head[statistic]];
  if (before === null || after === null) return absent;
  const change = moved.find((one) => one.statistic === statistic);
  return `${number(before)} → ${number(after)}${unit}${change === undefined ? "" : ` (${changeText(change.ratio)})`}`;
}

/** One line for documents without tables: `p50 1.20 → 1.31 ms, p99 2.40 → 15.5 ms (6.46×), mean 1.25 → 1.84 ms (+47 %)`. */
export function latencyText(latency: ComparedLatency): string {
  return statistics.map((each) => `${each} ${figuresText(latency, each, " ms")}`).join(", ");
}

function largestMove({ moved }: ComparedLatency): number {
  return Math.max(0, ...moved.map(({ ratio }) => Math.abs(Math.log(ratio))));
}

/** Null without latencies. */
export function latencyTable(comparison: VersionComparison): Table | null {
  const { latencies } = comparison;
  if (latencies.length === 0) return null;
  const name = armNames(comparison);
  const isMoved = latencies.some(({ moved }) => moved.length > 0);
  return {
    id: "latencies",
    caption: "Latency in ms a task, base → head",
    columns: figureColumns("arm", ...statistics),
    rows: latencies
      .toSorted((one, other) => largestMove(other) - largestMove(one))
      .map((latency) => measuredRow([name(latency), ...statistics.map((each) => figuresText(latency, each))])),
    note: isMoved ? "In brackets: changes of p99 and mean beyond their own 95 % interval." : "",
  };
}

/** `REST hello: p99 2.40 → 15.5 ms, mean 1.20 → 1.78 ms`, for arms whose tail or mean moved; empty where none did. */
export function movedText(comparison: VersionComparison): string {
  const name = armNames(comparison);
  const moved = comparison.latencies
    .filter((latency) => latency.moved.length > 0)
    .toSorted((one, other) => largestMove(other) - largestMove(one));
  const named = moved.slice(0, armsNamed).map((latency) => {
    const changes = statistics.flatMap((statistic) =>
      latency.moved.some((one) => one.statistic === statistic)
        ? [`${statistic} ${number(latency.base[statistic] ?? 0)} → ${number(latency.head[statistic] ?? 0)} ms`]
        : [],
    );
    return `${name(latency)} ${changes.join(", ")}`;
  });
  const others = moved.length - armsNamed;
  return [...named, ...(others > 0 ? [counted(others, "other arm")] : [])].join("; ");
}

const judgedWords: Readonly<Record<string, string>> = {
  latencyMs: "median latency",
  serverCpuMsPerTask: "server CPU",
};

/** What a verdict rests on: `median latency and server CPU`. */
export function judgedText({ cells }: Pick<VersionComparison, "cells">): string {
  return listed([...new Set(cells.map(({ metric }) => judgedWords[metric] ?? metric))]);
}
