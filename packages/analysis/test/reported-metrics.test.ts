// Where the time of calls went whose answers report it, and nothing of calls whose answers do not.
import { expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Samples } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf } from "./synthetic-run.ts";

const arms = [armFor({ stack: "grpc-js", variant: "single" }), armFor({ stack: "rest-express", variant: "single" })];

/** Two rounds of two calls of 10 ms an arm; the first arm's answers report 1 and 2 ms of waiting, and 5 ms of service. */
function samples(): Samples {
  const calls = samplesOf(
    [0, 1].flatMap((round) =>
      [0, 1].flatMap((arm) =>
        [0, 1].map((task) => {
          const startMs = round * 1_000 + arm * 100 + task * 20;
          const outcome = round === 1 && task === 1 ? "UNAVAILABLE" : "OK";
          return { arm, round, block: arm, task, step: 0, startMs, endMs: startMs + 10, outcome };
        }),
      ),
    ),
  );
  const reported = (ms: (task: number) => number): Float64Array =>
    calls.startedAtNs.map((_, row) => (calls.arm[row] === 0 ? ms(calls.task[row] ?? 0) * 1e6 : Number.NaN));
  return { ...calls, queueNs: reported((task) => task + 1), serviceNs: reported(() => 5) };
}

function rowsOf(given: Samples) {
  const reported = ["queueMs", "serviceMs", "transportMs"];
  return analyse(factsOf(arms, 2), given).summaries.filter(({ metric }) => reported.includes(metric));
}

it("is what answers report, and transport as the rest, of calls that were answered", () => {
  const armId = arms[0]?.id;
  expect(rowsOf(samples())).toMatchObject([
    { armId, metric: "queueMs", n: 3, min: 1, max: 2 },
    { armId, metric: "serviceMs", n: 3, min: 5, max: 5 },
    { armId, metric: "transportMs", n: 3, min: expect.closeTo(3, 9), max: expect.closeTo(4, 9) },
  ]);
});
