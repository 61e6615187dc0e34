// What finding a REST route costs: docs/decisions/0021-routes-of-our-own-on-express.md.
import type { WayCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { wayFigures } from "../way-figures.ts";

export const measure: Measure = {
  name: "rest-routes",
  title: "finding the route of a request, over all paths of the contract",
  rounds: 6,
  run: (options) =>
    wayFigures<WayCost>("rest-routes-process", [{ suffix: "", unit: "µs", value: ({ us }) => us }], options),
};
