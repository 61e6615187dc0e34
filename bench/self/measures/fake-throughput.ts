// The throughput of a fake relative to the real service: server CPU per call of one over the other. A server whose calls cost 1/0.9 as much carries
// 90 % of the load.
import type { Measure } from "../measure.ts";
import { rivalPlans } from "../rival-plans.ts";
import { rivalRatios } from "../rival-ratios.ts";
import { servedHere } from "../rivals.ts";
import { realContractAndService } from "../served.ts";

const leastShare = 0.9;

const fake = { module: import.meta.resolve("@roundtrip/fakes"), factory: "fakeService" };

export const measure: Measure = {
  name: "fake-throughput",
  title: "server CPU per call, a fake over the real service",
  rounds: 6,
  run: (options) =>
    rivalRatios(
      {
        stacks: ["graphql-apollo", "grpc-js", "rest-express"],
        plans: rivalPlans,
        server: servedHere(fake),
        baseline: servedHere(realContractAndService.service),
        // The answers of a fake are generated.
        areAlike: false,
        atMost: () => 1 / leastShare,
      },
      options,
    ),
};
