// Labels of arms for readers: only what distinguishes an arm from those around it.
import { type BreakEven, counted, listed } from "@roundtrip/analysis";
import { workFactors, type Arm, type Scalar } from "@roundtrip/runs";
import type { ArmView, TaskView } from "../view/run-view.ts";

const variants: Readonly<Record<string, string>> = {
  facade: "façade",
  "chatty-parallel": "chatty, parallel",
  "at-once": "at once",
  "fine-parallel": "fine, parallel",
  "after-pause": "after a pause",
  "batched-10": "batches of 10",
  "batched-50": "batches of 50",
};

export function variantLabel(variant: string): string {
  return variants[variant] ?? variant;
}

const factors: Readonly<Record<string, string>> = {
  attributes: "attributes",
  messageBytes: "bytes of a message",
  payloadBytes: "payload bytes",
  rttMs: "round-trip time, ms",
  callers: "callers",
  packets: "packets",
  exponent: "exponent",
  thinkMs: "think time, ms",
  rateHz: "arrivals per second",
  bandwidthMbps: "bandwidth, Mbit/s",
  congestionControl: "congestion control",
  receiveWindowBytes: "TCP window, bytes",
  windowAt: "TCP window at",
  initialWindowSegments: "initial window, segments",
  savesMetrics: "saved metrics",
  flowControlWindowBytes: "HTTP/2 window, bytes",
  windowScaling: "window scaling",
  slowStartAfterIdle: "slow start after idle",
  warmUp: "warm-up",
  gapMs: "gaps over, ms",
};

export function factorLabel(factor: string): string {
  return factors[factor] ?? factor;
}

/** `gRPC`, or `gRPC façade` where arms of the same role (style, floor or in process) have several variants. */
export function seriesLabel(task: TaskView, arm: Arm): string {
  const alike = [...task.arms, ...task.inProcess].filter((row) => row.arm.role === arm.role);
  const several = new Set(alike.map((row) => row.arm.variant)).size > 1;
  return several ? `${arm.title} ${variantLabel(arm.variant)}` : arm.title;
}

/** Factors whose names are plurals of what they count. */
const plurals: ReadonlySet<string> = new Set(["attributes", "invoices", "levels", "fields", "products"]);

/** `6 attributes`, `1 invoice`. */
export function levelText(factor: string, value: number): string {
  return counted(value, plurals.has(factor) ? factor.slice(0, -1) : factor);
}

/** `1, 5 and 20 invoices`. */
export function levelsText(factor: string, values: readonly number[]): string {
  const last = values.length - 1;
  return listed(
    values.map((value, index) => (index === last ? levelText(factor, value) : value.toLocaleString("en-US"))),
  );
}

/** The levels at which neither the façade nor the other variant is surely faster. */
export function openLevels({
  levels,
  facadeAt,
  otherAt,
}: Pick<BreakEven, "levels" | "facadeAt" | "otherAt">): readonly number[] {
  return levels.filter((level) => !facadeAt.includes(level) && !otherAt.includes(level));
}

/** A factor's value as text: `6 attributes`, `1,400 payload bytes`, `50 ms round-trip time`, `TLS`. */
export function factorValue(factor: string, value: Scalar): string {
  const shown = typeof value === "number" ? value.toLocaleString("en-US") : String(value);
  if (plurals.has(factor) && typeof value === "number") return levelText(factor, value);
  if (factor === "rttMs") return `${shown} ms round-trip time`;
  if (factor === "gapMs") return `gaps over ${shown} ms`;
  if (factor === "tls") return value === true ? "TLS" : "plain";
  if (factor === "congestionControl") return shown;
  if (typeof value === "boolean") return value ? factorLabel(factor) : `no ${factorLabel(factor)}`;
  return factor === "payloadBytes" ? `${shown} payload bytes` : `${factorLabel(factor)}: ${shown}`;
}

/** The series with the value of every factor that differs among `arms`, which must belong to the task. The series name includes settings. */
export function armLabel(task: TaskView, arm: Arm, arms: readonly ArmView[]): string {
  const others = arms.filter((row) => row.arm.role === arm.role);
  const differing = Object.entries(workFactors(arm)).filter(
    ([name]) => new Set(others.map((row) => row.arm.factors[name])).size > 1,
  );
  return [seriesLabel(task, arm), ...differing.map(([name, value]) => factorValue(name, value))].join(", ");
}

/** What the headline arms of a task have in common: `6 attributes`; empty without a sweep. */
export function headlinePart({ sweep, sweepValues }: TaskView): string {
  const last = sweepValues.at(-1);
  return sweep === null || last === undefined ? "" : factorValue(sweep, last);
}

/** The task with what its headline arms have in common: `façade: read, 6 attributes`. */
export function headlineLabel(task: TaskView): string {
  return [taskLabel(task), headlinePart(task)].filter((part) => part !== "").join(", ");
}

const studies: Readonly<Record<string, string>> = {
  facade: "façade",
  "load-rates": "load",
  "load-difficulty": "difficulty",
  "load-cache": "load with a cache",
  "load-threads": "load on threads",
  "load-calls": "load of small calls",
};

/** What a study repeats, where its source numbers its measurements. */
const repeated: Readonly<Record<string, string>> = {
  "load-difficulty": "2015, measurement 1",
  "load-rates": "2015, measurement 2",
  "load-cache": "2015, measurement 3",
  "load-threads": "2015, task 2.2",
};

/** A study's label; studies of the network are named after the factor that they vary. */
export function studyLabel(study: string): string {
  return studies[study] ?? study.replace(/^network-/, "").replaceAll("-", " ");
}

/** A study's heading, with the measurement that it repeats. */
export function studyHeading(study: string): string {
  const source = repeated[study];
  return source === undefined ? studyLabel(study) : `${studyLabel(study)} (${source})`;
}

function taskName(task: string): string {
  return task.endsWith("-payload")
    ? `${task.replace(/-payload$/, "")} by size of the answer`
    : task.replaceAll("-", " ");
}

/** A task's heading: the study's alone when both are the same. */
export function taskLabel(task: Pick<TaskView, "study" | "task">): string {
  return task.study === task.task ? studyHeading(task.study) : `${studyHeading(task.study)}: ${taskName(task.task)}`;
}
