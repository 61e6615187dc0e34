// The overhead of the floor over a bare echo: docs/decisions/0012-the-floor-learns-then-echoes.md.
import type { AlternativeCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { alternativeFigures } from "../alternative-figures.ts";

export const measure: Measure = {
  name: "floor-echo",
  title: "CPU of one echo of a customer's size, both ends, by the floor and by a bare echo on node:net",
  rounds: 6,
  run: (options) =>
    alternativeFigures<AlternativeCost>(
      "floor-echo-process",
      [{ suffix: "", unit: "µs", value: ({ cpuUs }) => cpuUs }],
      options,
    ),
};
