// Lines of latency over distance.
import { expect, it } from "vitest";
import { distanceLines } from "../src/distance/distance-lines.ts";
import { armFor } from "./synthetic-run.ts";

const arms = [20, 0, 10].map((rttMs) => armFor({ stack: "grpc-js", variant: "single", factors: { rttMs } }));
const distanceOf = (arm: (typeof arms)[number]) => Number(arm.factors["rttMs"]);

it("have their distances from near to far, in whatever order they were measured, and a line for each whole round", () => {
  // Two round trips and 3 ms in the first round, one and 5 ms in the second, of which the arm at 10 ms lacks the third.
  const meansOf = new Map(
    arms.map((arm) => {
      const rttMs = distanceOf(arm);
      const whole = [[2 * rttMs + 3], [rttMs + 5]];
      return [arm.id, rttMs === 10 ? whole : [...whole, [1]]] as const;
    }),
  );
  const [line, ...others] = distanceLines(arms, meansOf, distanceOf);
  expect(others).toEqual([]);
  expect(line?.rttMs).toEqual([0, 10, 20]);
  expect(line?.arms.map(distanceOf)).toEqual([0, 10, 20]);
  expect(line?.lines).toEqual([{ slope: 2, intercept: 3 }, { slope: 1, intercept: 5 }, null]);
});

it("are absent for a single distance", () => {
  expect(distanceLines(arms.slice(0, 1), new Map(arms.map(({ id }) => [id, [[1]]])), distanceOf)).toEqual([]);
});
