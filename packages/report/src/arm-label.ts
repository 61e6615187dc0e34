// What an arm is called for people: only what tells it apart from the arms around it.
import type { Arm } from "@roundtrip/analysis";
import type { TaskView } from "./run-view.ts";

const variants: Readonly<Record<string, string>> = { facade: "façade", "chatty-parallel": "chatty, parallel" };

/** A variant as people write it. */
export function variantLabel(variant: string): string {
  return variants[variant] ?? variant;
}

const factors: Readonly<Record<string, string>> = {
  attributes: "attributes",
  payloadBytes: "payload bytes",
  rttMs: "round-trip time, ms",
  callers: "callers",
  thinkMs: "think time, ms",
  rateHz: "arrivals per second",
};

/** A factor as an axis or a table calls it. */
export function factorLabel(factor: string): string {
  return factors[factor] ?? factor;
}

/** `gRPC`, or `gRPC façade` in a task with several variants. The floor has no variant worth naming. */
export function seriesLabel(task: TaskView, arm: Arm): string {
  const several = new Set(task.arms.filter((row) => row.arm.role === "style").map((row) => row.arm.variant)).size > 1;
  return several && arm.role === "style" ? `${arm.title} ${variantLabel(arm.variant)}` : arm.title;
}

/** The series with the value of every factor that differs within the task. */
export function armLabel(task: TaskView, arm: Arm): string {
  const differing = Object.entries(arm.factors).filter(
    ([name]) => new Set(task.arms.map((row) => row.arm.factors[name])).size > 1,
  );
  const tail = differing.map(([name, value]) =>
    name === "attributes" ? `${value} attribute${value === 1 ? "" : "s"}` : `${factorLabel(name)} ${value}`,
  );
  return [seriesLabel(task, arm), ...tail].join(", ");
}

/** A task for headings: the study's name alone when both are the same. */
export function taskLabel(task: TaskView): string {
  return task.study === task.task ? task.study : `${task.study}: ${task.task}`;
}
