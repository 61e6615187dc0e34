// The cost of a call of a fake within the process: docs/decisions/0164-typed-clients-for-tests.md.
import type { AlternativeCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { alternativeFigures } from "../alternative-figures.ts";

const atMostUs = 50;

/** Answers with many messages are reported separately: they spend most of their time on encoding twice. */
const manyMessages = "a page of 50 customers";

export const measure: Measure = {
  name: "fake-call",
  title: "a call of a fake in its own process, from the caller's message to the answer",
  rounds: 6,
  async run(options) {
    const figures = await alternativeFigures<AlternativeCost>(
      "fake-call-process",
      [{ suffix: "", unit: "µs", value: ({ us }) => us }],
      options,
    );
    return figures.map((figure) => ({ ...figure, atMost: figure.of === manyMessages ? undefined : atMostUs }));
  },
};
