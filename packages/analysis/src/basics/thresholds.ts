// Every threshold of anomalies: when a cell is outside its model, and when evidence counts as a cause.

export const thresholds = {
  /** The largest relative error of a prediction that is no anomaly. The study of 1996 was within 17.5 % of its model after its fault was fixed. */
  band: 0.2,
  /** The largest difference between measured and required round trips, per round trip. */
  bandPerRoundTrip: 0.05,
  /** Connections per call beyond those of a single caller: one call in fifty. */
  connectionsPerCall: 0.02,
  /** The share of opened connections that replaced one closed by the server. */
  closedByServer: 0.5,
  /** The share of the error that evidence must account for. */
  accountedFor: 0.25,
  /** Minimum share of time in garbage collection for a cause. */
  gcShare: 0.05,
  /** Retransmitted segments per call; a busy machine causes a few even without loss. */
  retransmitsPerCall: 0.01,
  /** Timers of an idle process are up to this late. */
  timerMs: 2,
  /** The fewest cells of a series that must stop at the same number of calls in flight… */
  ceilingCells: 3,
  /** …within this share of it. */
  ceilingSpread: 0.1,
  /** The relative change of CPU time per call against a single caller's after an equal rest. */
  demandChange: 0.2,
  /** A processor below this utilisation delays no callers. */
  busy: 0.8,
} as const;
