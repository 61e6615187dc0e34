// Labels of compared arms: by stack and task, and by what else distinguishes them.
import type { ComparedCell } from "@roundtrip/analysis";
import { factorValue, studyLabel, variantLabel } from "../words/arm-label.ts";

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
