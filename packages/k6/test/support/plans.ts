// Small plans, and what k6 writes of one: lines as the real program writes them, with its own around ours.
import { idsFromName, type Arm } from "@roundtrip/runs";
import type { K6Arm, K6Cell, K6Plan } from "../../src/plan/k6-plan.ts";

function facts(id: string): Arm {
  return {
    id,
    study: "hello",
    task: "hello",
    ...idsFromName("rest-express"),
    title: "REST",
    stackTitle: "REST",
    role: "style",
    variant: "single",
    factors: {},
    callsPerTask: 1,
  };
}

/** An arm with so many steps, one after the other. */
export function armWith(id: string, steps = 1): K6Arm {
  return {
    facts: facts(id),
    server: "rest-express",
    steps: Array.from({ length: steps }, () => ({ requests: [0] })),
    sets: Array.from({ length: steps }, (_, step) => [step]),
  };
}

export function cellOf(index: number, cell: Partial<K6Cell> = {}): K6Cell {
  return {
    name: `c${String(index).padStart(4, "0")}`,
    armId: "a",
    block: index,
    tasks: 4,
    callers: 1,
    startsMs: 1_000 * index,
    beginsMs: 1_000 * index + 500,
    mostMs: 400,
    arrivalsMs: null,
    pausesMs: null,
    ...cell,
  };
}

export function planWith(plan: Partial<K6Plan> = {}): K6Plan {
  return {
    formatVersion: 1,
    studies: ["hello"],
    seed: 7,
    round: 0,
    contractHash: "c0ffee",
    planHash: "abcdef012345",
    servers: [],
    arms: [armWith("a")],
    cells: [cellOf(0), cellOf(1)],
    requests: [{ method: "GET", path: "/v1/hello", headers: {}, body: "" }],
    ...plan,
  };
}

const time = "2026-11-21T12:00:01.123456789Z";

export function pointLine(
  metric: string,
  value: number,
  tags: Readonly<Record<string, string>>,
  metadata?: Readonly<Record<string, string>>,
): string {
  return JSON.stringify({ metric, type: "Point", data: { time, value, tags, ...(metadata && { metadata }) } });
}

export const t0Ms = 1_795_262_400_000;

export function instanceLine(plan: K6Plan, segment = "0:1", at = t0Ms): string {
  return pointLine("roundtrip_instance", at, {
    plan: plan.planHash,
    segment,
    version: "v1.8.1",
  });
}

export interface LineCall {
  readonly cell: K6Cell;
  readonly task: number;
  readonly step?: number;
  readonly atMs: number;
  readonly ms?: number;
  readonly outcome?: string;
  readonly more?: Readonly<Record<string, string>>;
}

export function callLine({ cell, task, step = 0, atMs, ms = 1.5, outcome = "OK", more = {} }: LineCall): string {
  const metadata = { task: String(task), step: String(step), at: String(atMs), ...more };
  return pointLine("roundtrip_call", ms, { scenario: cell.name, outcome }, metadata);
}

/** What k6 writes of its own around one call. */
function ownLines(cell: K6Cell): readonly string[] {
  const tags = { scenario: cell.name };
  return [
    pointLine("http_reqs", 1, tags),
    pointLine("http_req_duration", 1.2, tags),
    pointLine("data_sent", 100, tags),
    pointLine("data_received", 250, tags),
    pointLine("iterations", 1, tags),
  ];
}

/** All calls of these tasks, one every ten milliseconds from each cell's begin. */
export function linesOf(
  plan: K6Plan,
  segment = "0:1",
  does: (task: number) => boolean = () => true,
): readonly string[] {
  const metricLine = JSON.stringify({
    type: "Metric",
    data: { name: "roundtrip_call", type: "trend" },
    metric: "roundtrip_call",
  });
  const calls = plan.cells.flatMap((cell) => {
    const steps = plan.arms.find(({ facts: { id } }) => id === cell.armId)?.steps.length ?? 1;
    return Array.from({ length: cell.tasks }, (_, task) => task)
      .filter(does)
      .flatMap((task) => [
        ...Array.from({ length: steps }, (_, step) =>
          callLine({ cell, task, step, atMs: cell.beginsMs + 10 * task + 2 * step }),
        ),
        ...ownLines(cell),
      ]);
  });
  return [instanceLine(plan, segment), metricLine, ...calls];
}

export function fileOf(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
