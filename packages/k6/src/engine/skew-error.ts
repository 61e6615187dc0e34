// Checks that the instances of a round followed one schedule: they must begin at the same time, by clocks that agree.
import type { CompletedRound } from "../results/read-results.ts";
import { clockSkew } from "./clock-skew.ts";
import { startSkew } from "./start-skew.ts";

/** How far apart instances may begin before the arrivals of a round differ from its schedule. */
const mostSkewMs = 50;

const inMs = (ms: number): string => `${Math.abs(Math.round(ms)).toLocaleString("en-US")} ms`;

function offset(ms: number): string {
  return `${inMs(ms)} ${ms < 0 ? "behind" : "ahead of"} its server's`;
}

/** Why the calls of a round do not follow one schedule; undefined if they do, or if it is unknown. */
export function skewError(done: CompletedRound): string | undefined {
  const clocks = clockSkew(done.instances);
  if (clocks !== undefined && clocks.skewMs > mostSkewMs) {
    const { skewMs, behind, ahead } = clocks;
    const each = `that of segment ${ahead.segment} was ${offset(ahead.clockMs)}, that of ${behind.segment} ${offset(behind.clockMs)}`;
    return `clocks were ${inMs(skewMs)} apart, more than ${mostSkewMs} ms: ${each}; set them by NTP`;
  }
  const starts = startSkew(done);
  if (starts === undefined || starts.skewMs <= mostSkewMs) return undefined;
  const { skewMs, first, last } = starts;
  return `segment ${last} began ${inMs(skewMs)} after ${first}, more than ${mostSkewMs} ms: it had to wait for a core`;
}
