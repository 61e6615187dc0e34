// Axes of curves: logarithmic where values would lie on top of each other, with distances where they were measured.
import { expect, test } from "vitest";
import { loadFormat, renderPlots } from "../src/index.ts";
import type { ReportInput } from "../src/view/report-input.ts";
import { costedArm } from "./support/arms.ts";
import { inputFrom } from "./support/fixture.ts";

const distances = [0.1, 1, 20, 100];
/** As emulated links come out. */
const measured = [0.2341, 1.09, 20.24, 101];

/** @param calls of the other variant, each of which waits for the one before */
function farInput(calls: number): ReportInput {
  const arms = [1, calls].flatMap((callsPerTask) =>
    distances.map((rttMs) => {
      const variant = callsPerTask === 1 ? "facade" : "fine";
      const work = { study: "linked", stack: "rest-express", title: "REST", variant, callsPerTask };
      return costedArm({ ...work, factors: { rttMs } }, { latencyMs: callsPerTask * (rttMs + 1) });
    }),
  );
  const input = inputFrom(arms, 50);
  const { facts, analysis } = input;
  const links = distances.map((rttMs, index) => ({
    kind: "kernel",
    rttMs: measured[index] ?? 0,
    mtuBytes: 1_500,
    asked: { rttMs },
  }));
  return {
    ...input,
    facts: { ...facts, environment: { ...facts.environment, links } },
    analysis: { ...analysis, breakEvens: [], claims: [] },
  };
}

async function curveOf(input: ReportInput): Promise<{ readonly svg: string; readonly alt: string }> {
  const curve = (await renderPlots(input)).find(({ name }) => name.startsWith("curve-linked"));
  if (curve === undefined) throw new Error("no curve");
  return curve;
}

test("curves that differ by a factor of ten have a logarithmic axis, others over distance a linear one", async () => {
  expect((await curveOf(farInput(32))).svg).toContain("ms (logarithmic)");
  expect((await curveOf(farInput(6))).svg).not.toContain("logarithmic");
});

test("distances are named and placed as measured, in the picture and the table", async () => {
  const input = farInput(32);
  const { svg, alt } = await curveOf(input);
  expect(alt).toContain("from 0.234 to 101");
  expect(svg).toContain(">0.234<");
  expect(await (await loadFormat("markdown")).render(input)).toContain(
    "| round-trip time, ms | 0.234 | 1.09 | 20.2 | 101 |",
  );
});
