// Box plots in text: every mark stands above its value on the shared axis.
import { expect, it } from "vitest";
import { textBoxPlot } from "../src/text/box-plot.ts";
import { inks } from "../src/text/text-table.ts";
import { summarise } from "./support/statistics.ts";

it("draws quartiles, median, whiskers and outliers above their values on one axis", () => {
  const even = Array.from({ length: 101 }, (_, at) => 10 + at / 5);
  const rows = [
    { label: "even, and one of 50 ms", summary: summarise("a", "latencyMs", [...even, 50]), distribution: null },
    { label: "always 20 ms", summary: summarise("b", "latencyMs", [20, 20, 20]), distribution: null },
  ];
  expect(textBoxPlot("Latency", rows, { columns: 80, hasLegend: true }, inks(""))).toMatchInlineSnapshot(`
    [
      "Latency, in ms",
      "even, and one of 50 ms    ├─────▒▒▒▒▒▒▒┃▒▒▒▒▒▒──────┤                        ·",
      "always 20 ms                           ┃",
      "                        ──┴─────┴──────┴─────┴──────┴─────┴─────┴──────┴─────┴──",
      "                         10    15     20    25     30    35    40     45    50",
      "▒ quartiles, ┃ median, ├ ┤ last samples within 1.5 interquartile ranges, ·",
      "outliers",
    ]
  `);
});
