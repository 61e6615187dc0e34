// The mark of arms whose load was not kept: on the row's name in every table, explained below each. They have no latency.
import type { Analysis, WithheldPercentiles } from "@roundtrip/analysis";
import type { Table } from "../basics/table.ts";

const sign = "‡";

export const voidText = "void";

type Voided = Pick<Analysis, "voidCells">;

/** The name, marked where the arm's load was not kept. */
export function withVoidSign(isVoid: boolean, name: string): string {
  return isVoid ? `${name}${sign}` : name;
}

export function voidMarked({ voidCells }: Voided, armId: string, name: string): string {
  return withVoidSign(
    voidCells.some((cell) => cell.armId === armId),
    name,
  );
}

export function withVoidNote(table: Table): Table {
  if (!table.rows.some(({ cells }) => cells[0]?.includes(sign))) return table;
  const note = `${sign} Void: the generator did not keep this load, so it has no latency; the warnings give the reason.`;
  return { ...table, note: [table.note, note].filter((part) => part !== "").join(" ") };
}

const text = "–: a few tasks began late, by enough to move this percentile; mean and median stand.";

/** Explains withheld percentiles of these arms; empty without any. */
export function lateTailNote(lateTails: readonly WithheldPercentiles[], armIds: readonly string[]): string {
  return lateTails.some(({ armId }) => armIds.includes(armId)) ? text : "";
}
