// What was seen of the processes and the machine while one block ran: why its calls took what they took.

/** How one process fared while a block ran. */
export interface ProcessEvidence {
  /**
   * How late its event loop came to a timer that was due every 10 ms: mean and longest. Up to a millisecond is the timer's own; null where the
   * block was too short for a sample.
   */
  readonly loopDelayMeanMs: number | null;
  readonly loopDelayMaxMs: number | null;
  /** Collections of garbage, and how long the process stood still for them. */
  readonly gcCount: number;
  readonly gcMs: number;
}

/** What the kernel knows of one end of the connections between a client and its server (`ss -ti`). */
export interface TcpEnd {
  readonly connections: number;
  /** The smallest congestion window, in segments of so many bytes. */
  readonly cwndSegments: number;
  readonly segmentBytes: number;
  /** Segments that were sent again since their connections were opened. */
  readonly retransmits: number;
  /** The longest retransmission time-out. */
  readonly rtoMs: number;
}

/** Both ends right after a block; null where nothing was to be seen. */
export interface TcpEvidence {
  readonly client: TcpEnd | null;
  readonly server: TcpEnd | null;
}

/** How busy the machine was while a block ran, as its kernel counted: over the cores that the run may use, some of it in ticks of 10 ms. */
export interface MachineEvidence {
  readonly cores: number;
  /** From the reading before the block to the one after it. */
  readonly watchedMs: number;
  /** CPU time of whatever ran, interrupts included; in ticks. */
  readonly busyMs: number;
  /** Of that the run's: the block's server and client, and the runner. */
  readonly ownMs: number;
  /** Time that the hypervisor gave to others while a core had something to run: of all cores, and of the one that lost most; in ticks. */
  readonly stealMs: number;
  readonly mostStolenMs: number;
  /** What a control group's limit allows the run, and how long it kept threads from running, added up over cores; absent without a limit. */
  readonly quotaCores?: number;
  readonly throttledMs?: number;
  /** Threads that ran or were ready to right after the block, without the runner's. */
  readonly waiting?: number;
}

/** What kept a block's processes from running, for more than a tenth of its time. */
export interface Disturbance {
  /**
   * `lost-core`: a process was ready to run, and others had its core. `throttled`: it was ready to
   * run, and its control group had used up its time. `steal`: the hypervisor gave a core to others. `stood-still`: a process neither
   * computed nor was ready to when it was due; something had stopped it, or it waited for memory or a disk.
   */
  readonly kind: "lost-core" | "throttled" | "steal" | "stood-still";
  /** Which process; absent where it was not one of them alone. */
  readonly process?: "server" | "client";
  readonly lostMs: number;
}
