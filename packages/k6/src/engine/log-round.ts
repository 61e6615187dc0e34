// From the calls of a round to blocks of a run: whole cells are kept, and what keeps the others from being told is warned of.
import type { ProcessEvidence, Warning } from "@roundtrip/analysis";
import { listed } from "@roundtrip/analysis";
import type { RoundLog } from "@roundtrip/runner/parts";
import type { DoneRound } from "../results/read-results.ts";
import { judgeCell, toldBlock, type ClientCpu } from "./told-block.ts";
import { whyApart } from "./why-apart.ts";

/** What the run's own books say of a cell. */
export interface CellBooks {
  readonly serverCpuMs: number | null;
  readonly clientCpu: ClientCpu | null;
  readonly server: ProcessEvidence | undefined;
}

export const noBooks: CellBooks = { serverCpuMs: null, clientCpu: null, server: undefined };

export interface LoggedRound {
  /** The cells that are kept, by their places in the plan, and how long their calls took. */
  readonly whole: readonly { readonly cell: number; readonly elapsedMs: number }[];
  readonly warnings: readonly Warning[];
}

/** So many reasons are told one by one. */
const fewReasons = 2;

/** @param booksOf undefined leaves a cell out, whatever its calls were */
export function logRound(
  done: DoneRound,
  log: RoundLog,
  booksOf: (cell: number) => CellBooks | undefined,
): LoggedRound {
  const { cells, round } = done.plan;
  const apart = whyApart(done);
  if (apart !== undefined) {
    return {
      whole: [],
      warnings: [{ code: "k6-apart", message: `round ${round + 1} is void and left out: ${apart}` }],
    };
  }
  const whole: { readonly cell: number; readonly elapsedMs: number }[] = [];
  const reasons: string[] = [];
  for (const [index, { armId, block, tasks }] of cells.entries()) {
    const books = booksOf(index);
    const verdict = judgeCell(done, index);
    if (books === undefined || verdict.kind === "none") continue;
    if (verdict.kind === "void") {
      reasons.push(`${armId}, ${verdict.why}`);
      continue;
    }
    const { serverCpuMs, clientCpu, server } = books;
    const told = toldBlock(done, index, clientCpu);
    log.addBlock({ armId, block, tasks, serverCpuMs, server, tcp: undefined }, told);
    whole.push({ cell: index, elapsedMs: told.elapsedMs });
  }
  const warnings: Warning[] = [];
  if (reasons.length > 0) {
    const blocks = reasons.length === 1 ? "a block is" : `${reasons.length} blocks are`;
    const more = reasons.length > fewReasons ? [`${reasons.length - fewReasons} more`] : [];
    const why = listed([...reasons.slice(0, fewReasons), ...more]);
    warnings.push({
      code: "k6-void",
      message: `round ${round + 1}: ${blocks} void and left out, as calls were lost or doubled: ${why}`,
    });
  }
  return { whole, warnings };
}
