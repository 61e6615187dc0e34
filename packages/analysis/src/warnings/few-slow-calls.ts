// Warns of means that a handful of calls dominate.
import type { Arm, Warning } from "../run/run-facts.ts";
import { counted } from "../basics/words.ts";

/** Less than this share of an arm's tasks … */
const fewShare = 0.001;
/** … must not make up more than this share of its mean. */
const mostShareOfMean = 0.2;

/** A warning where the few slowest tasks of an arm dominate its mean. @param sorted latencies of all its tasks, ascending */
export function fewSlowCalls({ id, callsPerTask }: Arm, sorted: Float64Array): readonly Warning[] {
  const total = sorted.reduce((sum, latencyMs) => sum + latencyMs, 0);
  let few = 0;
  let theirs = 0;
  while (few + 1 < fewShare * sorted.length && theirs <= mostShareOfMean * total) {
    few += 1;
    theirs += sorted[sorted.length - few] ?? 0;
  }
  if (theirs <= mostShareOfMean * total) return [];
  const noun = callsPerTask === 1 ? "call" : "task";
  const of = `the slowest ${few === 1 ? noun : counted(few, noun)} of ${sorted.length.toLocaleString("en-US")}`;
  const message = `${of} ${few === 1 ? "makes" : "make"} ${Math.round((100 * theirs) / total)} % of the mean latency: the median is the better figure`;
  return [{ code: "few-slow-calls", message, armId: id }];
}
