// What the network saw of one call of an arm: its bytes in both directions, and whether it came over a connection of its own. Counted
// in the run, so that a prediction starts from what was done and not from what was meant.
import type { Exchange } from "./predicted-round-trips.ts";
import type { Arm, Environment, RunFacts, Samples } from "../run.ts";

interface Sums {
  calls: number;
  requestBytes: number;
  responseBytes: number;
}

function sumsOf({ arms }: Pick<RunFacts, "arms">, samples: Samples): ReadonlyMap<string, Sums> {
  const sums = arms.map((): Sums => ({ calls: 0, requestBytes: 0, responseBytes: 0 }));
  for (let row = 0; row < samples.length; row += 1) {
    const sum = sums[samples.arm[row] as number] as Sums;
    sum.calls += 1;
    sum.requestBytes += samples.requestBytes[row] as number;
    sum.responseBytes += samples.responseBytes[row] as number;
  }
  return new Map(arms.map(({ id }, index) => [id, sums[index] as Sums]));
}

/** A connection for every second call or more is no accident: each call is meant to have its own. */
const mostlyOwn = 0.5;

/** A factor of an arm's link, or a setting of its stack, that limits what goes over it; infinite where nothing is said. */
function limitOf(arm: Arm, { settings = {} }: Environment, name: string): number {
  return Number({ ...settings[arm.stack], ...arm.factors }[name] ?? Infinity);
}

/** Gives one call of an arm, the mean of its calls; null for an arm without calls. */
export function exchangesIn(
  facts: Pick<RunFacts, "arms" | "blocks" | "environment">,
  samples: Samples,
): (arm: Arm) => Exchange | null {
  const sums = sumsOf(facts, samples);
  const blocks = Map.groupBy(facts.blocks, ({ armId }) => armId);
  return (arm) => {
    const sum = sums.get(arm.id);
    if (sum === undefined || sum.calls === 0) return null;
    const own = blocks.get(arm.id) ?? [];
    const opened = own.reduce((total, block) => total + block.connectionsOpened, 0);
    const calls = own.reduce((total, block) => total + block.calls, 0);
    return {
      requestBytes: sum.requestBytes / sum.calls,
      responseBytes: sum.responseBytes / sum.calls,
      opensConnection: opened > mostlyOwn * calls,
      connectRoundTrips: arm.connectRoundTrips ?? 0,
      tls: arm.factors["tls"] === true || facts.environment.tls === true,
      windowBytes: limitOf(arm, facts.environment, "receiveWindowBytes"),
      flowControlWindowBytes: limitOf(arm, facts.environment, "flowControlWindowBytes"),
      bandwidthMbps: limitOf(arm, facts.environment, "bandwidthMbps"),
    };
  };
}
