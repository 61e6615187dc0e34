// Warnings about the measuring itself: processes that stood still, unexpected connections, and stacks that nothing compares with.
import { configurationOf, settingsOf, isAtDefaults, type Block, type RunFacts, type Arm } from "@roundtrip/runs";
import type { Warning } from "./warning.ts";
import { counted, durationText, listed } from "../basics/words.ts";
import type { Comparison } from "../comparison/comparison.ts";
import { groupsOf } from "../comparison/stack-pairs.ts";
import { callsInSequence } from "../distance/round-trips.ts";

type Fate = "void" | "open-loop" | "kept";

const effects: Readonly<Record<Fate, string>> = {
  void: "measured again, and left out",
  "open-loop": "kept, as an open loop's callers would have met it",
  kept: "kept: its latencies include that time",
};

function named({ disturbance }: Block): string {
  return disturbance?.process === undefined ? "both processes" : `the ${disturbance.process} process`;
}

function stoodStill({ disturbance }: Block): boolean {
  return disturbance?.kind === "stood-still";
}

export function standstillWarnings({
  arms,
  blocks,
  voidBlocks = [],
}: Pick<RunFacts, "arms" | "blocks" | "voidBlocks">): readonly Warning[] {
  const armOf = new Map(arms.map((arm) => [arm.id, arm]));
  const fateOf = ({ armId }: Block): Fate => (armOf.get(armId)?.load?.loop === "open" ? "open-loop" : "kept");
  const all = [
    ...voidBlocks.filter(stoodStill).map((block) => ({ block, fate: "void" as const })),
    ...blocks.filter(stoodStill).map((block) => ({ block, fate: fateOf(block) })),
  ];
  const alike = groupsOf(all, ({ block, fate }) => `${block.armId} ${named(block)} ${fate}`);
  return alike.flatMap((group): readonly Warning[] => {
    const [{ block, fate }] = group;
    const arm = armOf.get(block.armId);
    if (arm === undefined) return [];
    const { title, study, task } = arm;
    const longestMs = Math.max(...group.map(({ block: { disturbance } }) => disturbance?.lostMs ?? 0));
    const rounds = new Set(group.map(({ block: { round } }) => round + 1));
    const where = `in ${counted(group.length, "block")} of ${rounds.size === 1 ? `round ${block.round + 1}` : counted(rounds.size, "round")}`;
    const long = group.length === 1 ? `for ${durationText(longestMs)}` : `for up to ${durationText(longestMs)}`;
    const message = `${named(block)} of ${title} stood still ${long} ${where} (${study}, ${task}): ${group.length === 1 ? "it was" : "they were"} ${effects[fate]}`;
    return [{ code: "stood-still", message, armId: block.armId }];
  });
}

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

export function notComparable(arms: readonly Arm[], comparisons: readonly Comparison[]): readonly Warning[] {
  const styles = arms.filter(({ role }) => role === "style");
  const stacks = groupsOf(styles, ({ stack }) => stack);
  if (stacks.length < 2) return [];
  const compared = new Set(
    comparisons.flatMap(({ kind, numeratorId, denominatorId }) =>
      kind === "stack" ? [numeratorId, denominatorId] : [],
    ),
  );
  return stacks.flatMap((ofStack): Warning | readonly Warning[] => {
    const [{ stack, settingDefaults = {} }] = ofStack;
    if (ofStack.some((arm) => isAtDefaults(arm) || compared.has(arm.id))) return [];
    const defaults = Object.entries(settingDefaults).filter(
      ([name, value]) => !ofStack.some((arm) => settingsOf(arm)[name] === value),
    );
    const flags = defaults.map(([name, value]) => `${stack}.${name}=${value}`);
    const titles = [...new Map(ofStack.map((arm) => [configurationOf(arm), arm.title])).values()];
    return {
      code: "compared-apart",
      message: `${listed(titles)} ${titles.length === 1 ? "is" : "are"} not compared with other stacks, as stacks are compared at their defaults: --set ${flags.join(",")} measures those too`,
    };
  });
}
