// Turns the calls of a round into blocks of a run. Complete cells are kept; the others get a warning.
import type { ProcessEvidence, Warning } from "@roundtrip/analysis";
import { listed } from "@roundtrip/analysis";
import type { RoundLog } from "@roundtrip/runner/parts";
import type { CompletedRound } from "../results/read-results.ts";
import { judgeCell, reportedBlock, type ClientCpu } from "./reported-block.ts";
import { skewError } from "./skew-error.ts";

/** CPU time and process evidence of a cell, as the runner measured them. */
export interface CellUsage {
  readonly serverCpuMs: number | null;
  readonly clientCpu: ClientCpu | null;
  readonly server: ProcessEvidence | undefined;
}

export const noEvidence: CellUsage = { serverCpuMs: null, clientCpu: null, server: undefined };

export interface LoggedRound {
  /** The cells that are kept, by their indexes in the plan, and how long their calls took. */
  readonly whole: readonly { readonly cell: number; readonly elapsedMs: number }[];
  readonly warnings: readonly Warning[];
}

/** The number of reasons to list. */
const fewReasons = 2;

/** Adds the complete cells to the log. @param evidenceOf gives undefined for a cell to leave out */
export function logRound(
  done: CompletedRound,
  log: RoundLog,
  evidenceOf: (cell: number) => CellUsage | undefined,
): LoggedRound {
  const { cells, round } = done.plan;
  const apart = skewError(done);
  if (apart !== undefined) {
    return {
      whole: [],
      warnings: [{ code: "k6-apart", message: `round ${round + 1} is void and left out: ${apart}` }],
    };
  }
  const whole: { readonly cell: number; readonly elapsedMs: number }[] = [];
  const reasons: string[] = [];
  for (const [index, { armId, block, tasks }] of cells.entries()) {
    const evidence = evidenceOf(index);
    const verdict = judgeCell(done, index);
    if (evidence === undefined || verdict.kind === "none") continue;
    if (verdict.kind === "void") {
      reasons.push(`${armId}, ${verdict.why}`);
      continue;
    }
    const { serverCpuMs, clientCpu, server } = evidence;
    const reported = reportedBlock(done, index, clientCpu);
    log.addBlock({ armId, block, tasks, serverCpuMs, server, tcp: undefined }, reported);
    whole.push({ cell: index, elapsedMs: reported.elapsedMs });
  }
  const warnings: Warning[] = [];
  if (reasons.length > 0) {
    const blocks = reasons.length === 1 ? "a block is" : `${reasons.length} blocks are`;
    const more = reasons.length > fewReasons ? [`${reasons.length - fewReasons} more`] : [];
    const why = listed([...reasons.slice(0, fewReasons), ...more]);
    warnings.push({
      code: "k6-void",
      message: `round ${round + 1}: ${blocks} void and left out, because calls were lost or doubled: ${why}`,
    });
  }
  return { whole, warnings };
}
