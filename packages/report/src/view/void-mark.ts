// The sign of arms whose load was not kept: on the row's name in every table, explained below each. They have no latency to show.
import type { Analysis, LateTail } from "@roundtrip/analysis";
import type { Table } from "../basics/table.ts";

const sign = "‡";

/** What stands where a latency would. */
export const voidText = "void";

type Voided = Pick<Analysis, "voidCells">;

/** The name with the sign where the arm's load was not kept. */
export function withVoidSign(isVoid: boolean, name: string): string {
  return isVoid ? `${name}${sign}` : name;
}

/** The same for the arm of this id. */
export function voidMarked({ voidCells }: Voided, armId: string, name: string): string {
  return withVoidSign(
    voidCells.some((cell) => cell.armId === armId),
    name,
  );
}

/** The table with the sign explained in its note, where a row of it carries the sign. */
export function withVoidNote(table: Table): Table {
  if (!table.rows.some(({ cells }) => cells[0]?.includes(sign))) return table;
  const note = `${sign} Void: the generator did not keep this load, so it has no latency; the warnings give the reason.`;
  return { ...table, note: [table.note, note].filter((part) => part !== "").join(" ") };
}

const text = "–: a few tasks began late, by enough to move this percentile; mean and median stand.";

/** The sentence where a percentile of one of these arms is withheld; empty where none is. */
export function lateTailNote(lateTails: readonly LateTail[], armIds: readonly string[]): string {
  return lateTails.some(({ armId }) => armIds.includes(armId)) ? text : "";
}
