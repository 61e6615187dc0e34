// What is said of streams: when their first bytes came and how often they paused, and nothing of other calls.
import { expect, it } from "vitest";
import { analyse } from "../src/analyse/analyse.ts";
import type { Samples } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf } from "./synthetic-run.ts";

const arms = [
  armFor({ stack: "rest-express", variant: "streamed" }),
  armFor({ stack: "rest-express", variant: "buffered" }),
];

/** Eight rounds of two tasks an arm: the first arm streams, and its first bytes come after 2 and 4 ms. */
function samplesWithStreams(): Samples {
  const samples = samplesOf(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((round) =>
      [0, 1].flatMap((arm) =>
        [0, 1].map((task) => {
          const startMs = round * 1_000 + arm * 100 + task * 20;
          const outcome = arm === 0 && round === 7 && task === 1 ? "UNAVAILABLE" : "OK";
          return { arm, round, block: arm, task, step: 0, startMs, endMs: startMs + 10, outcome };
        }),
      ),
    ),
  );
  const ofStreams = (value: (row: number) => number) =>
    samples.startedAtNs.map((_, row) => (samples.arm[row] === 0 ? value(row) : Number.NaN));
  return {
    ...samples,
    firstByteAtNs: ofStreams((row) => (samples.startedAtNs[row] ?? 0) + ((samples.task[row] ?? 0) + 1) * 2e6),
    pauses: ofStreams((row) => 3 * (samples.task[row] ?? 0)),
  };
}

function summariesOf(samples: Samples) {
  const { summaries } = analyse(factsOf(arms, 8), samples);
  return summaries.filter(({ metric }) => metric === "firstByteMs" || metric === "pausesPerStream");
}

it("is the time to the first bytes and the pauses of the streams that came to their end", () => {
  expect(summariesOf(samplesWithStreams())).toMatchObject([
    { armId: arms[0]?.id, metric: "firstByteMs", n: 15, min: 2, max: 4 },
    { armId: arms[0]?.id, metric: "pausesPerStream", n: 15, min: 0, max: 3 },
  ]);
  const [firstByte] = summariesOf(samplesWithStreams());
  expect(firstByte?.mean).toBeCloseTo((7 * 3 + 2) / 8, 9);
  expect(firstByte?.meanLow).not.toBeNull();
});
