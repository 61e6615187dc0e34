// Prints the plot of docs/gate.md: the share of failed jobs by the slowdown of one task on a stack.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { renderChart } from "../packages/report/src/predictions.ts";
import type { Evidence } from "../bench/self/gate/evidence.ts";
import { exactInterval } from "../bench/self/gate/exact-interval.ts";

const file = join(import.meta.dirname, "../docs/gate/evidence.json");
const evidence = JSON.parse(readFileSync(file, "utf8")) as Evidence;

const curves = (["serverCpuMsPerTask", "latencyMs"] as const).map((metric) => {
  const equal = evidence.null.filter(({ noise, effect }) => noise === "normal" && effect === 0);
  const slower = evidence.power.filter(
    (row) => row.noise === "normal" && row.tasks === 1 && row.metric === metric && row.effect > 0,
  );
  const points = [...equal, ...slower].map(({ effect, blocked, jobs }) => {
    const { low, high } = exactInterval(blocked, jobs);
    return { at: 100 * effect, y: (100 * blocked) / jobs, low: 100 * low, high: 100 * high };
  });
  return { label: metric === "latencyMs" ? "latency (rounds ± 3 %)" : "server CPU (rounds ± 2.5 %)", points };
});

const { svg } = renderChart({
  name: "power",
  title: "Jobs that FAIL, by how much slower one task of a stack is",
  xLabel: "slower by, %",
  yLabel: "jobs that FAIL, %",
  curves: curves.map(({ label, points }) => ({ label, points, asked: points })),
  simulated: curves.flatMap(({ points }) => points),
  limitLines: [
    { at: 2, label: "tolerate" },
    { at: 5, label: "detect" },
  ],
});
process.stdout.write(svg);
