// Warns of processes that stood still in a block, and of the affected figures. The cause is unknown.
import { groupsOf } from "../basics/groups-of.ts";
import type { Block, RunFacts, Warning } from "@roundtrip/runs";
import { counted, durationText } from "../basics/words.ts";

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
