// How much may wait in front of a link's bottleneck.

/** What a queue holds, in seconds of the bandwidth: what home routers have, and never what limits a window. */
const queueS = 0.25;
const leastBytes = 65_536;

/** Bytes that may wait for a link of this bandwidth, in each direction. */
export function queueBytes(bandwidthMbps: number): number {
  return Math.max(leastBytes, Math.ceil((bandwidthMbps * 1e6 * queueS) / 8));
}
