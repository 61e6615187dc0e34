// The facts of one block of calls, with the evidence for slow ones, and what a run did before its blocks: first calls and warm-ups.

export type Scalar = string | number | boolean;

export interface ProcessEvidence {
  /** Mean and maximum lateness of a 10 ms event-loop timer, whose own error is up to a millisecond; null for blocks that were too short. */
  readonly loopDelayMeanMs: number | null;
  readonly loopDelayMaxMs: number | null;
  /** Garbage collections, and the time that the process was stopped for them. */
  readonly gcCount: number;
  readonly gcMs: number;
  /** Bytes of the objects made in V8's heap during the block, collected or not, without buffers. Absent in servers of older versions. */
  readonly allocatedBytes?: number;
}

/** Physical memory of the processes of one end, as the kernel counts it. A page that several processes share counts for each of them. */
export interface ResidentMemory {
  readonly residentBytes: number;
  /** The most since the reading began; the sum of each process's. Absent where the kernel does not let a peak begin anew. */
  readonly peakBytes?: number;
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

/** What one block of one arm cost, as the runner recorded it beside the calls. */
export interface Block {
  readonly armId: string;
  /** 0-based. */
  readonly round: number;
  /** 0-based position in the order of the round's blocks. */
  readonly block: number;
  readonly tasks: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly elapsedMs: number;
  /** CPU time of the process (user and system, all threads) between the block's first and last call; null where unknown. */
  readonly serverCpuMs: number | null;
  /** The same for the client. In an open loop it includes polling the event loop for due times. Null where another generator ran elsewhere. */
  readonly clientCpuMs: number | null;
  /** Share of time, 0 to 1, that the client's event loop was busy, without polling; in an open loop up to the last start. Absent in older runs. */
  readonly clientUtilisation?: number;
  /** Bytes on the client's sockets in both directions, without TCP and IP headers; null where another generator also counts untimed tasks. */
  readonly wireBytes: number | null;
  readonly connectionsOpened: number;
  /** Connections that were open before the block and used in it. Absent, like all evidence below, in older runs. */
  readonly connectionsReused?: number;
  /** Connections that the server closed first during the block. */
  readonly connectionsClosedByServer?: number;
  /** Concurrent calls that the server allows on one HTTP/2 connection, the minimum over connections; absent without HTTP/2. */
  readonly streamsPerConnection?: number;
  readonly client?: ProcessEvidence;
  /** Absent also for a target. */
  readonly server?: ProcessEvidence;
  /** Only over links with a distance, after an arm's first block in a round. Absent for small calls of one caller without packet loss. */
  readonly tcp?: TcpEvidence;
  /** Minimum time that the worst thread was ready but others had its core. Absent where the kernel does not count it or the process is remote. */
  readonly serverLostMs?: number;
  readonly clientLostMs?: number;
  /** Absent where the kernel does not count, or where other processes of the run were active (emulated network, idle pairs of other stacks). */
  readonly machine?: MachineEvidence;
  readonly disturbance?: Disturbance;
  /** At the end of the block, with the peak in it, after what earlier blocks left. Absent where the kernel has none, and for a target. */
  readonly serverMemory?: ResidentMemory;
  readonly clientMemory?: ResidentMemory;
}

/** The memory of one end of a stack outside its blocks; a figure that the system or the program does not report is absent. */
export interface EndMemory {
  /** Resident when the warm-up ended. */
  readonly warmBytes?: number;
  /** Objects in V8's heap after the last block and a forced collection. Absent for programs that are not this project's. */
  readonly heapBytes?: number;
}

export interface RoundMemory {
  /** The arms that they were measured for. */
  readonly armIds: readonly string[];
  readonly round: number;
  readonly server: EndMemory;
  readonly client: EndMemory;
}

/** The first call of a fresh client process, to a fresh server or a target. */
export interface FirstCall extends FirstConnection {
  readonly armId: string;
  readonly round: number;
  readonly firstCallMs: number;
}

/** The parts of a first call up to its TCP connection; absent where it opened none. What is left is TLS, the request, the server and the answer. */
export interface FirstConnection {
  /** The client's own code, until it opens a connection: it makes the request, or what that needs. */
  readonly beforeConnectingMs?: number;
  /** Absent too for an address in figures, which needs no look-up. */
  readonly lookUpMs?: number;
  /** TCP alone. */
  readonly connectingMs?: number;
}

/** Whether times still fell when a warm-up ended: `over`, not by more than was tolerated; `hidden`, noise or too few calls do not show it. */
export type WarmUpTrend = "over" | "falling" | "hidden";

export interface WarmUp {
  readonly stack: string;
  /** Settings of the stack; absent when all are defaults. */
  readonly settings?: Readonly<Record<string, Scalar>>;
  readonly round: number;
  readonly calls: number;
  readonly elapsedMs: number;
  readonly trend: WarmUpTrend;
}
