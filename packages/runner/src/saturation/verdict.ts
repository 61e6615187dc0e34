// Judges a probe of a search: whether its rate was kept, and if not, by which end.
import type { CapacityProbe } from "@roundtrip/analysis";
import type { BlockAnswer } from "../processes/messages.ts";

type Probed = Pick<BlockAnswer, "rows" | "outcomes" | "clientUtilisation">;

/** As in measured cells: beyond this, answers wait for the client. */
const mostUtilisation = 0.9;

function p99Of(fromMs: Float64Array, { endedAtMs }: Probed["rows"]): number {
  const sorted = endedAtMs.map((atMs, row) => atMs - (fromMs[row] ?? Number.NaN)).toSorted();
  return sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.POSITIVE_INFINITY;
}

/** Of response times, from the intended start; infinite when a call failed: what fails is not carried. */
function tailOf({ rows, outcomes }: Probed): number {
  const isAnswered = rows.outcome.every((outcome) => outcomes[outcome] === "OK");
  return isAnswered ? p99Of(rows.intendedAtMs, rows) : Number.POSITIVE_INFINITY;
}

/** A generator this busy measures itself; one that begins late does where, counted from when calls did begin, the limit was kept. */
function isGenerators({ rows, clientUtilisation }: Probed, limitMs: number): boolean {
  return clientUtilisation > mostUtilisation || p99Of(rows.startedAtMs, rows) <= limitMs;
}

/** Of a block at some rate. @param limitMs what one call in a hundred may take, from when it was to begin. */
export function verdictOn(answer: Probed, limitMs: number): Omit<CapacityProbe, "rateHz"> {
  const { clientUtilisation } = answer;
  const tailMs = tailOf(answer);
  const isKept = tailMs <= limitMs && clientUtilisation <= mostUtilisation;
  const verdict = isKept ? "kept" : Number.isFinite(tailMs) && isGenerators(answer, limitMs) ? "generator" : "latency";
  return { p99Ms: Number.isFinite(tailMs) ? tailMs : null, clientUtilisation, verdict };
}
