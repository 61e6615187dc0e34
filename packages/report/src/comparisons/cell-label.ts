// Labels of a comparison's cells, their changes as text, and what a task takes in base and head: p50, p99 and mean, and where a tail or a mean moved.
import {
  counted,
  listed,
  type ComparedCell,
  type ComparedLatency,
  type ComparedMemory,
  type MemoryFigures,
  type LatencyFigures,
  type VersionComparison,
} from "@roundtrip/analysis";
import { absent, number } from "../basics/quantity.ts";
import { figureColumns, measuredRow, withoutEmptyColumns, type Table } from "../basics/table.ts";
import { factorValue, studyLabel, variantLabel } from "../words/arm-label.ts";

const doubled = 2;

/** One decimal below ten per cent. */
function digitsFor(...ratios: readonly number[]): number {
  return ratios.every((ratio) => Math.abs(100 * (ratio - 1)) < 9.95) ? 1 : 0;
}

function percent(ratio: number, digits: number): string {
  const value = 100 * (ratio - 1);
  const size = Math.abs(value).toFixed(digits);
  // Zero has no sign.
  return `${Number(size) === 0 ? "" : value < 0 ? "−" : "+"}${size}`;
}

function multipleText(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}×`;
}

/** `+8.1 %`, `−12 %`, `2.31×`. @param ratio head over base. */
export function changeText(ratio: number): string {
  return ratio >= doubled ? multipleText(ratio) : `${percent(ratio, digitsFor(ratio))} %`;
}

/** `+5.2 to +8.1 %`, `2.10 to 2.54×`, `+80 % to 2.10×`; `at most +3.1 %` where only that end is known. */
export function changeRange(low: number | null, high: number | null): string {
  if (low === null && high === null) return absent;
  if (low === null) return `at most ${changeText(high ?? 1)}`;
  if (high === null) return `at least ${changeText(low)}`;
  if (low >= doubled) return `${multipleText(low).slice(0, -1)} to ${multipleText(high)}`;
  if (high >= doubled) return `${changeText(low)} to ${changeText(high)}`;
  const digits = digitsFor(low, high);
  return `${percent(low, digits)} to ${percent(high, digits)} %`;
}

/** A share without a sign, as settings are printed: `2 %`, `0.5 %`. */
export function shareText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}

/** The largest plausible loss of a cell: the bound behind a PASS, or else the end of its interval. */
export function mostLost({ atMost, high }: Pick<ComparedCell, "atMost" | "high">): number | null {
  return atMost ?? high;
}

export type NamedArm = Pick<ComparedCell, "study" | "task" | "stack" | "title" | "variant" | "factors">;

const metrics: Readonly<Record<string, string>> = {
  latencyMs: "latency",
  serverCpuMsPerTask: "server CPU",
  clientCpuMsPerTask: "client CPU",
  firstCallMs: "first call",
  callsPerTask: "calls",
  roundTripsPerTask: "round trips",
  wireBytesPerTask: "bytes",
  connectionsPerTask: "connections",
};

/** A metric in words: `server CPU`; the metric's own name if it is unknown. */
export function metricLabel(metric: string): string {
  return metrics[metric] ?? metric;
}

/** The id of a cell's arm: its own without the metric. */
export function armIdOf({ id, metric }: Pick<ComparedCell, "id" | "metric">): string {
  return id.slice(0, -metric.length - 1);
}

/** The same for cells that differ only in their metric. */
export function armKey({ study, task, stack, variant, factors }: NamedArm): string {
  return JSON.stringify([study, task, stack, variant, factors]);
}

function several(values: readonly (string | undefined)[]): boolean {
  return new Set(values).size > 1;
}

/** The arms among which a label has to be unique, such as a comparison. */
export interface Named {
  readonly cells: readonly NamedArm[];
  readonly exact: readonly NamedArm[];
}

/** Returns a function that names an arm: `REST hello`, `GraphQL read, chatty, 6 attributes`. */
export function armNames({ cells, exact }: Named): (arm: NamedArm) => string {
  const arms = [...cells, ...exact];
  const tasksOf = Map.groupBy(arms, ({ task }) => task);
  return ({ study, task, title, variant, factors }) => {
    const ofTask = tasksOf.get(task) ?? [];
    const studies = ofTask.map((arm) => arm.study);
    const alike = ofTask.filter((arm) => arm.study === study);
    const name = `${title} ${several(studies) ? `${studyLabel(study)}: ` : ""}${task.replaceAll("-", " ")}`;
    const differing = Object.entries(factors).filter(([factor]) =>
      several(alike.map((arm) => JSON.stringify(arm.factors[factor]))),
    );
    return [
      name,
      ...(several(alike.map((arm) => arm.variant)) ? [variantLabel(variant)] : []),
      ...differing.map(([factor, value]) => factorValue(factor, value)),
    ].join(", ");
  };
}

type Statistic = keyof LatencyFigures;

const statistics: readonly Statistic[] = ["p50", "p99", "mean"];

const armsNamed = 3;

/** `1.20 → 1.31`, in milliseconds and with this unit; with the change where it moved. */
function figuresText({ base, head, moved }: ComparedLatency, statistic: Statistic, unit = ""): string {
  const [before, after] = [base[statistic], head[statistic]];
  if (before === null || after === null) return absent;
  const change = moved.find((one) => one.statistic === statistic);
  return `${number(before)} → ${number(after)}${unit}${change === undefined ? "" : ` (${changeText(after / before)})`}`;
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

const memoryFigures = [
  { figure: "peakBytes", heading: "peak, MiB", unit: "MiB", unitBytes: 2 ** 20 },
  { figure: "allocatedBytesPerTask", heading: "allocated a task, KiB", unit: "KiB a task", unitBytes: 2 ** 10 },
] as const;

function bytesText(
  { base, head }: Pick<ComparedMemory, "base" | "head">,
  { figure, unitBytes }: { readonly figure: keyof MemoryFigures; readonly unitBytes: number },
): string {
  const [before, after] = [base[figure], head[figure]];
  if (before === null || after === null) return absent;
  return `${number(before / unitBytes)} → ${number(after / unitBytes)}`;
}

/** One line for documents without tables: `server memory, not judged: peak 92.1 → 101 MiB, allocated 20.1 → 20.3 KiB a task`. */
export function memoryText(memory: ComparedMemory): string {
  const known = memoryFigures.filter(({ figure }) => memory.base[figure] !== null && memory.head[figure] !== null);
  const texts = known.map((each) => `${each.heading.split(/,? a task|,/)[0]} ${bytesText(memory, each)} ${each.unit}`);
  return `server memory, not judged: ${texts.join(", ")}`;
}

/** Null without figures of memory. */
export function memoryTable(comparison: VersionComparison): Table | null {
  const { memory } = comparison;
  if (memory.length === 0) return null;
  const name = armNames(comparison);
  return withoutEmptyColumns({
    id: "memory",
    caption: "Memory of the server, base → head, not judged",
    columns: figureColumns("arm", ...memoryFigures.map(({ heading }) => heading)),
    rows: memory.map((row) => measuredRow([name(row), ...memoryFigures.map((each) => bytesText(row, each))])),
    note: "Means over blocks. A server serves all arms of its stack, and keeps what earlier blocks left.",
  });
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
