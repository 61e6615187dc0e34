// Whether the instances of a round did one schedule together: they have to begin at the same moment, by clocks that agree.
import type { DoneRound } from "../results/read-results.ts";
import { clockSkew } from "./clock-skew.ts";
import { startSkew } from "./start-skew.ts";

/** How far apart instances may begin: more, and arrivals of a round are not those of its schedule. */
const mostSkewMs = 50;

const inMs = (ms: number): string => `${Math.abs(Math.round(ms)).toLocaleString("en-US")} ms`;

function offset(ms: number): string {
  return `${inMs(ms)} ${ms < 0 ? "behind" : "ahead of"} its server's`;
}

/** What keeps the calls of a round from being those of one schedule, with how far apart; undefined where nothing does, or nobody knows. */
export function whyApart(done: DoneRound): string | undefined {
  const clocks = clockSkew(done.instances);
  if (clocks !== undefined && clocks.skewMs > mostSkewMs) {
    const { skewMs, behind, ahead } = clocks;
    const each = `that of segment ${ahead.segment} was ${offset(ahead.clockMs)}, that of ${behind.segment} ${offset(behind.clockMs)}`;
    return `clocks were ${inMs(skewMs)} apart, more than ${mostSkewMs} ms: ${each}; set them by NTP`;
  }
  const starts = startSkew(done);
  if (starts === undefined || starts.skewMs <= mostSkewMs) return undefined;
  const { skewMs, first, last } = starts;
  return `segment ${last} began ${inMs(skewMs)} after ${first}, more than ${mostSkewMs} ms: it was given no processor in time`;
}
