// What counts as outside a model, and what of a cell's evidence counts as a cause: every number that anomalies rest on, with its reason.

export const thresholds = {
  /**
   * How far a cell may be from what is predicted for it, as a share of that. Once its fault was mended, the study of 1996 was nowhere farther than
   * 17.5 % from its model.
   */
  band: 0.2,
  /** What a measured slope may be from what must be, for each of its round trips. */
  bandPerRoundTrip: 0.05,
  /** Connections that calls may open beyond those of the caller alone: one call in fifty. */
  connectionsPerCall: 0.02,
  /** Of the connections that were opened, those that stood in for one that the server had closed. */
  closedByServer: 0.5,
  /** What evidence has to account for, as a share of how far the cell is from its model. */
  accountedFor: 0.25,
  /** A process that collects garbage does so for less of its time. */
  gcShare: 0.05,
  /** Segments that were sent again, for each call: one connection of a link without loss may have some from a moment at which the machine was busy. */
  retransmitsPerCall: 0.01,
  /** Timers of an idle process are late by as much. */
  timerMs: 2,
  /** So many cells of a series have to stop at one number of calls under way… */
  ceilingCells: 3,
  /** …and may differ by as much, as a share of it. */
  ceilingSpread: 0.1,
  /** A call takes as much more, or less, of a processor than those of one caller after as long a rest. */
  demandChange: 0.2,
  /** A processor that is busy for less of its time does not hold callers back. */
  busy: 0.8,
} as const;
