// The cost of the HTTP/2 window over a distance: docs/decisions/0011-http2-windows.md.
import type { AlternativeCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { alternativeFigures } from "../alternative-figures.ts";

export const measure: Measure = {
  name: "http2-window",
  title: "an answer of 277 KB, connections open, at a round trip of 20 ms",
  rounds: 6,
  run: (options) =>
    alternativeFigures<AlternativeCost>(
      "http2-window-process",
      [{ suffix: "", unit: "ms", value: ({ us }) => us / 1000 }],
      options,
    ),
};
