// What the processes and the machine did while one block ran: the evidence for slow calls.

export interface ProcessEvidence {
  /** Mean and maximum lateness of a 10 ms event-loop timer, whose own error is up to a millisecond; null for blocks that were too short. */
  readonly loopDelayMeanMs: number | null;
  readonly loopDelayMaxMs: number | null;
  /** Garbage collections, and the time that the process was stopped for them. */
  readonly gcCount: number;
  readonly gcMs: number;
}

/** What the kernel reports of one end of the connections between a client and its server (`ss -ti`). */
export interface TcpEnd {
  readonly connections: number;
  /** The smallest congestion window, in segments of `segmentBytes`. */
  readonly cwndSegments: number;
  readonly segmentBytes: number;
  /** Segments retransmitted since the connections were opened. */
  readonly retransmits: number;
  /** The longest retransmission time-out. */
  readonly rtoMs: number;
}

/** Both ends right after a block; null where no connection was found. */
export interface TcpEvidence {
  readonly client: TcpEnd | null;
  readonly server: TcpEnd | null;
}

/** The kernel's counters of the machine during a block, over the cores that the run may use. Some count in ticks of 10 ms. */
export interface MachineEvidence {
  readonly cores: number;
  /** From the reading before the block to the one after it. */
  readonly watchedMs: number;
  /** CPU time of all processes and interrupts; in ticks. */
  readonly busyMs: number;
  /** The part used by the run: the block's server and client, and the runner. */
  readonly ownMs: number;
  /** Time that the hypervisor gave to others while a core had work: of all cores, and of the worst core; in ticks. */
  readonly stealMs: number;
  readonly mostStolenMs: number;
  /** The control group's CPU limit, and how long it stopped threads, summed over cores; absent without a limit. */
  readonly quotaCores?: number;
  readonly throttledMs?: number;
  /** Threads running or ready to run right after the block, without the runner's. */
  readonly waiting?: number;
}

/** What kept a block's processes from running for more than a tenth of its time. */
export interface Disturbance {
  /**
   * `lost-core`: a process was ready to run while others had its core. `throttled`: its control group had used up its CPU time. `steal`: the
   * hypervisor gave a core to others. `stood-still`: a process neither ran nor was ready to run when due: it was stopped, or waited for memory or a
   * disk.
   */
  readonly kind: "lost-core" | "throttled" | "steal" | "stood-still";
  /** Absent where it was not one process alone. */
  readonly process?: "server" | "client";
  readonly lostMs: number;
}
