// The cells that a run had no time for, as text, with a sufficient budget.
import { groupsOf } from "../basics/groups-of.ts";
import { keyOf, workFactors, type Arm, type LeftOutCells, type RunFacts, type Warning } from "@roundtrip/runs";
import { counted, listed } from "../basics/words.ts";

const tolerance = 1.1;

/** From this share of its calls on, a round is as good as whole: an interval is at most an eighth wider. */
const enoughCalls = 0.8;

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

function cellsOf(arms: readonly Arm[], study: string, task: string): number {
  const ofTask = arms.filter((arm) => arm.study === study && arm.task === task);
  return new Set(ofTask.map((arm) => `${arm.variant} ${keyOf(workFactors(arm))}`)).size;
}

/** `10 of 14 of read and all 12 of write`. */
function cellsText({ cells }: LeftOutCells, arms: readonly Arm[]): string {
  const texts = groupsOf(cells, ({ study, task }) => `${study} ${task}`).map((ofTask) => {
    const [{ study, task }] = ofTask;
    const kept = cellsOf(arms, study, task);
    const out = ofTask.length;
    return `${kept === 0 ? "all " : ""}${out}${kept === 0 ? "" : ` of ${kept + out}`} of ${task}`;
  });
  return listed(texts);
}

/** What was left out, as clauses: `left out on all stacks: 10 of 14 of read`; may be empty. */
function clausesOf(
  leftOut: LeftOutCells,
  { arms, durationMs }: Pick<RunFacts, "arms" | "durationMs">,
): readonly string[] {
  const { cells, shareOfCalls, withinMs } = leftOut;
  const share = Math.round(100 * shareOfCalls);
  return [
    ...(cells.length === 0 ? [] : [`left out on all stacks: ${cellsText(leftOut, arms)}`]),
    ...(shareOfCalls >= enoughCalls ? [] : [`every round made ${share} % of the calls`]),
    ...(durationMs > tolerance * withinMs ? [`the run still took ${seconds(durationMs)}`] : []),
  ];
}

export function leftOutWarning(facts: Pick<RunFacts, "arms" | "durationMs" | "leftOut">): readonly Warning[] {
  const { leftOut } = facts;
  if (leftOut === undefined) return [];
  const clauses = clausesOf(leftOut, facts);
  if (clauses.length === 0) return [];
  // Reports of one screen print what stands before the colon.
  const what = leftOut.cells.length === 0 ? "all calls" : `${counted(leftOut.cells.length, "variant")} of tasks`;
  const budget = `--budget ${Math.round(leftOut.budgetMs / 1000)}s measures everything`;
  const start = `there was no time for ${what} in ${seconds(leftOut.withinMs)} (${budget})`;
  return [{ code: "no-time", message: `${start}: ${clauses.join("; ")}` }];
}
