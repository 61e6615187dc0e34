// The effect of the HTTP client on a call: docs/decisions/0020-one-http-client.md.
import type { AlternativeCost } from "../in-turns.ts";
import type { Measure } from "../measure.ts";
import { alternativeFigures } from "../alternative-figures.ts";

export const measure: Measure = {
  name: "http-client",
  title: "one hello call to the same REST server by client library: latency and CPU of the client process",
  rounds: 6,
  run: (options) =>
    alternativeFigures<AlternativeCost>(
      "http-client-process",
      [
        { suffix: "", unit: "µs", value: ({ us }) => us },
        { suffix: ", client CPU", unit: "µs", value: ({ cpuUs }) => cpuUs },
      ],
      options,
    ),
};
