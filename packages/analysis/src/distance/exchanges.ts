// What the network saw of one call of an arm: its bytes in both directions, and whether it came over a connection of its own. Counted
// in the run, so that a prediction starts from what was done and not from what was meant.
import type { Exchange } from "./predicted-round-trips.ts";
import type { Traffic } from "../calls/traffic.ts";
import type { Arm, Environment, RunFacts } from "../run/run-facts.ts";

/** A connection for every second call or more is no accident: each call is meant to have its own. */
const mostlyOwn = 0.5;

/** A factor of an arm's link, or a setting of its stack, that limits what goes over it; infinite where nothing is said. */
function limitOf(arm: Arm, { settings = {} }: Environment, name: string): number {
  return Number({ ...settings[arm.stack], ...arm.factors }[name] ?? Infinity);
}

/** Gives one call of an arm, the mean of its calls; null for an arm without calls. */
export function exchangesIn(
  facts: Pick<RunFacts, "arms" | "blocks" | "environment">,
  traffic: readonly Traffic[],
): (arm: Arm) => Exchange | null {
  const sums = new Map(facts.arms.map(({ id }, index) => [id, traffic[index]]));
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
