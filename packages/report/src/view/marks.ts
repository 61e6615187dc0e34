// Marks on names in every table and picture, explained once per document: of stacks that had not settled, and of arms whose load was not kept.
import { counted, listed, type Analysis, type WithheldPercentiles } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import type { NamedStack, Table } from "../basics/table.ts";

const unsettledSign = "†";

type Marked = Pick<Analysis, "unsettled">;
function unsettledOf({ unsettled }: Marked, stacks: readonly NamedStack[]): Analysis["unsettled"] {
  const configurations = new Set(stacks.map(configurationOf));
  return unsettled.filter((row) => configurations.has(configurationOf(row)));
}

/** The stack's title, marked when it had not settled in some round. */
export function markedTitle(analysis: Marked, stack: NamedStack): string {
  return unsettledOf(analysis, [stack]).length > 0 ? `${stack.title}${unsettledSign}` : stack.title;
}

/** Explains the mark for these stacks; empty without a marked one. */
export function markNote(analysis: Marked, stacks: readonly NamedStack[]): string {
  const rows = unsettledOf(analysis, stacks);
  if (rows.length === 0) return "";
  const each = rows.map(({ title, rounds, of }) => `${title} in ${rounds.length} of ${counted(of, "round")}`);
  return `${unsettledSign} Warm-up cut off before the numbers settled: ${listed(each)}.`;
}

const voidSign = "‡";

export const voidText = "void";

type Voided = Pick<Analysis, "voidCells">;

/** The name, marked where the arm's load was not kept. */
export function withVoidSign(isVoid: boolean, name: string): string {
  return isVoid ? `${name}${voidSign}` : name;
}

export function voidMarked({ voidCells }: Voided, armId: string, name: string): string {
  return withVoidSign(
    voidCells.some((cell) => cell.armId === armId),
    name,
  );
}

export function withVoidNote(table: Table): Table {
  if (!table.rows.some(({ cells }) => cells[0]?.includes(voidSign))) return table;
  const note = `${voidSign} Void: the generator did not keep this load, so it has no latency; the warnings give the reason.`;
  return { ...table, note: [table.note, note].filter((part) => part !== "").join(" ") };
}

const lateTailText = "–: a few tasks began late, by enough to move this percentile; mean and median stand.";

/** Explains withheld percentiles of these arms; empty without any. */
export function lateTailNote(lateTails: readonly WithheldPercentiles[], armIds: readonly string[]): string {
  return lateTails.some(({ armId }) => armIds.includes(armId)) ? lateTailText : "";
}
