// Compares the connections counted on the client's sockets with the settings. A pool that opens too many, or a server that closes early, costs hidden
// round trips.
import { settingsOf, type Arm, type RunFacts, type Warning } from "@roundtrip/runs";
import { listed } from "../basics/words.ts";
import { callsInSequence } from "./round-trips.ts";

/** One call in twenty may meet a connection that was idle for too long, or the first block of fresh processes. */
const tolerance = 0.05;

function opensForEach(arm: Arm): boolean {
  const { keepAlive, newConnectionPerCall } = { ...arm.factors, ...settingsOf(arm) };
  return keepAlive === false || newConnectionPerCall === true;
}

/** Calls made at once, as in an open loop, may share connections or need several: their count says nothing about the setting. */
function isOneByOne(arm: Arm): boolean {
  return arm.load?.loop !== "open" && callsInSequence(arm) === arm.callsPerTask;
}

/** One warning naming arms with more or fewer connections than their settings require. @param explained arms whose anomaly already reports it */
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
