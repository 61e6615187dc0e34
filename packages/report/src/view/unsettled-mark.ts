// The mark of figures measured before their stack had settled: on its name in every table and picture, explained once per document.
import { counted, listed, type Analysis } from "@roundtrip/analysis";
import { configurationOf } from "@roundtrip/runs";
import type { NamedStack } from "../basics/table.ts";

const sign = "†";

type Marked = Pick<Analysis, "unsettled">;
function unsettledOf({ unsettled }: Marked, stacks: readonly NamedStack[]): Analysis["unsettled"] {
  const configurations = new Set(stacks.map(configurationOf));
  return unsettled.filter((row) => configurations.has(configurationOf(row)));
}

/** The stack's title, marked when it had not settled in some round. */
export function markedTitle(analysis: Marked, stack: NamedStack): string {
  return isUnsettled(analysis, stack) ? `${stack.title}${sign}` : stack.title;
}

export function isUnsettled(analysis: Marked, stack: NamedStack): boolean {
  return unsettledOf(analysis, [stack]).length > 0;
}

/** Explains the mark for these stacks; empty without a marked one. */
export function markNote(analysis: Marked, stacks: readonly NamedStack[]): string {
  const rows = unsettledOf(analysis, stacks);
  if (rows.length === 0) return "";
  const each = rows.map(({ title, rounds, of }) => `${title} in ${rounds.length} of ${counted(of, "round")}`);
  return `${sign} Warm-up cut off before the numbers settled: ${listed(each)}.`;
}
