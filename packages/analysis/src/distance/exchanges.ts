// One call of an arm as the network sees it: its bytes in both directions, and whether it opened a connection. Counted in the run, so that
// predictions use what happened and not the settings.
import type { Exchange } from "./predicted-round-trips.ts";
import type { Traffic } from "../calls/traffic.ts";
import type { Arm, Environment, RunFacts } from "@roundtrip/runs";

/** With a connection for at least every second call, each call is meant to open its own. */
const mostlyOwn = 0.5;

/** A limit from the arm's link or its stack's settings; infinite without one. */
function limitOf(arm: Arm, { settings = {} }: Environment, name: string): number {
  return Number({ ...settings[arm.stack], ...arm.factors }[name] ?? Infinity);
}

/** Returns the mean call of an arm; null for an arm without calls. */
export function exchangeOfArm(
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
