// What HTTP/2's window costs over a distance: docs/decisions/0011-http2-windows.md.
import type { WayCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { wayFigures } from "../way-figures.ts";

export const measure: Measure = {
  name: "http2-window",
  title: "an answer of 277 KB, connections open, at a round trip of 20 ms",
  rounds: 6,
  run: (options) =>
    wayFigures<WayCost>("http2-window-process", [{ suffix: "", unit: "ms", value: ({ us }) => us / 1000 }], options),
};
