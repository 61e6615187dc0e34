// Connections as they were counted on the client's sockets, held against what is set: a pool that opens more than it should, or a server that
// closes unasked, is a round trip that nobody sees.
import { settingsOf } from "../run/arm-factors.ts";
import type { Arm, RunFacts, Warning } from "../run/run-facts.ts";
import { listed } from "../basics/words.ts";
import { callsInSequence } from "./round-trips.ts";

/** One call in twenty may meet a connection that has been idle for too long, or the first block of fresh processes. */
const tolerance = 0.05;

/** Whether each call is to have a connection of its own, by what is set on the stack. */
function opensForEach(arm: Arm): boolean {
  const { keepAlive, newConnectionPerCall } = { ...arm.factors, ...settingsOf(arm) };
  return keepAlive === false || newConnectionPerCall === true;
}

/** Calls that are made at once, as those of an open loop, may share connections or need several: what they open says nothing of the mode. */
function isOneByOne(arm: Arm): boolean {
  return arm.load?.loop !== "open" && callsInSequence(arm) === arm.callsPerTask;
}

/**
 * A warning that names every arm whose calls opened more or fewer connections than what is set on its stack says. @param explained arms of which that
 * is reported already, as the cause of an anomaly
 */
export function unexpectedConnections(
  { arms, blocks }: Pick<RunFacts, "arms" | "blocks">,
  explained: ReadonlySet<string>,
): readonly Warning[] {
  const blocksOf = Map.groupBy(blocks, ({ armId }) => armId);
  const asked = arms.filter((arm) => isOneByOne(arm) && !explained.has(arm.id));
  const strange = asked.flatMap((arm) => {
    const own = blocksOf.get(arm.id) ?? [];
    const calls = own.reduce((total, block) => total + block.calls, 0);
    if (calls === 0) return [];
    const perCall = own.reduce((total, block) => total + block.connectionsOpened, 0) / calls;
    const meant = opensForEach(arm) ? 1 : 0;
    return Math.abs(perCall - meant) <= tolerance ? [] : [`${arm.id} ${perCall.toFixed(2)} and not ${meant}`];
  });
  if (strange.length === 0) return [];
  const message = `calls opened more or fewer connections than is set, each: ${listed(strange)}; their latency holds the handshakes`;
  return [{ code: "connections-differ", message }];
}
