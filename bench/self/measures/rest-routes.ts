// The cost of finding a REST route: docs/decisions/0021-routes-of-our-own-on-express.md.
import type { AlternativeCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { alternativeFigures } from "../alternative-figures.ts";

export const measure: Measure = {
  name: "rest-routes",
  title: "finding the route of a request, over all paths of the contract",
  rounds: 6,
  run: (options) =>
    alternativeFigures<AlternativeCost>(
      "rest-routes-process",
      [{ suffix: "", unit: "µs", value: ({ us }) => us }],
      options,
    ),
};
