// One queue with the very arrivals that came: what a model of the long run cannot predict for a few hundred requests, or of more than can be served.

/**
 * The mean wait of requests that come at these moments, ascending, and are each served for as long, one after the other: wait n + 1 is wait
 * n plus the service less the gap between the two, or nothing (D. V. Lindley, "The Theory of Queues with a Single Server", Mathematical
 * Proceedings of the Cambridge Philosophical Society 48, 1952). NaN without arrivals.
 */
export function meanWaitMs(arrivalsMs: ArrayLike<number>, serviceMs: number): number {
  let waitMs = 0;
  let sumMs = 0;
  for (let at = 1; at < arrivalsMs.length; at += 1) {
    const gapMs = (arrivalsMs[at] as number) - (arrivalsMs[at - 1] as number);
    waitMs = Math.max(0, waitMs + serviceMs - gapMs);
    sumMs += waitMs;
  }
  return sumMs / arrivalsMs.length;
}
