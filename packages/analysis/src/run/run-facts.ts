// A run as analysis sees it: facts that the runner wrote down, as values. Units are in the names.
import type { Disturbance, MachineEvidence, ProcessEvidence, TcpEvidence } from "./block-evidence.ts";
import type { ReadColumns } from "./call-columns.ts";
import type { LeftOutCells, RoundTime } from "./effort.ts";
import type { StackIds } from "./stack-ids.ts";

export type Scalar = string | number | boolean;

/** What sets an arm's tasks off. */
export interface ArmLoad {
  /** `open`: tasks begin on a schedule, whatever has been answered. `closed`: each caller pauses, then begins its next. */
  readonly loop: "open" | "closed";
  /** `poisson`, `constant`, …: what it holds stands in the arm's factors. */
  readonly pacer: string;
  /** Open loop: tasks that could be under way at once; one that came on top has the outcome NOT_SENT. */
  readonly mostInFlight?: number;
}

/** One thing measured: a stack, a way to call it, and every other factor that was held. */
export interface Arm extends StackIds {
  readonly id: string;
  readonly study: string;
  /** What is done, for example `hello`, `read`, `write`: arms of one task and equal factors do the same work. */
  readonly task: string;
  /** The stack's name for people, with what is set on it. Two stacks may have one title: nothing is identified by it. */
  readonly title: string;
  /** The same without what is set on it. */
  readonly stackTitle: string;
  /** Whether its stack is its style's default, which stands for the style; absent in runs of before it was written down. */
  readonly isDefaultStack?: boolean;
  /** `floor` arms are what `style` arms are held against. */
  readonly role: "style" | "floor";
  /** `facade`, `chatty`, `chatty-parallel`, `together`, or `single` when there is only one way. */
  readonly variant: string;
  /** Every other factor: `attributes`, `payloadBytes`, `rttMs`, `tls`, … */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** The defaults of those factors that are settings of the stack; absent when nothing was set. */
  readonly settingDefaults?: Readonly<Record<string, Scalar>>;
  /** Absent where each caller begins its next task as soon as its last has ended. */
  readonly load?: ArmLoad;
  /** Whether its server had all cores but the client's, as it computes on threads; absent where it had one of them. */
  readonly computesOnThreads?: boolean;
  /** Calls that one task makes, by construction of the plan. */
  readonly callsPerTask: number;
  /** Of these as many as wait for each other, where its way to call makes some at once; absent where `variant` says it. */
  readonly callsInSequence?: number;
  /** TCP connections that the client may use; absent in runs of before it was written down. */
  readonly connections?: number;
  /** Round trips that its protocol waits for on a new connection, beyond those of TCP and TLS; absent for none. */
  readonly connectRoundTrips?: number;
  /** Where the server was when it ran already and was not the run's own; absent for servers that the run started. */
  readonly target?: string;
}

/** What one block of one arm cost: the runner's own books beside the single calls. */
export interface Block {
  readonly armId: string;
  /** 0-based. */
  readonly round: number;
  /** 0-based position in the order in which the round's blocks ran. */
  readonly block: number;
  readonly tasks: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly elapsedMs: number;
  /** CPU time of the whole process (user and system, all threads) between the block's first and last call; null where it is not known. */
  readonly serverCpuMs: number | null;
  /** The same of the client: in an open loop it holds what waiting turn by turn for moments takes. Null where another generator ran elsewhere. */
  readonly clientCpuMs: number | null;
  /**
   * Share of time, 0 to 1, in which the client's event loop was busy; waiting turn by turn is not. In an open loop up to the last begin.
   * Absent in runs of before it was written down.
   */
  readonly clientUtilisation?: number;
  /** Bytes on the client's sockets, both directions, without TCP and IP headers; null where another generator's include those of untimed tasks. */
  readonly wireBytes: number | null;
  readonly connectionsOpened: number;
  /** Connections that were open when the block began and were used in it. Absent, like all evidence below, in runs of before it was collected. */
  readonly connectionsReused?: number;
  /** Connections that the server closed first, during the block. */
  readonly connectionsClosedByServer?: number;
  /** Calls that the server lets one HTTP/2 connection have under way, the least over all connections; absent without HTTP/2. */
  readonly streamsPerConnection?: number;
  readonly client?: ProcessEvidence;
  /** Absent also where the server was not the run's own. */
  readonly server?: ProcessEvidence;
  /** Only over links with a distance, after the first block of an arm in a round, and not of small calls that one caller makes where nothing is lost. */
  readonly tcp?: TcpEvidence;
  /**
   * Time in which a thread of the process was ready to run and others had its core, at least: of the thread that lost most. Absent where the kernel does not
   * count it, or the process runs elsewhere.
   */
  readonly serverLostMs?: number;
  readonly clientLostMs?: number;
  /** Absent where the kernel does not count, and where other processes of the run were at work: an emulated network, pairs that wait side by side. */
  readonly machine?: MachineEvidence;
  /** Absent where nothing disturbed the block. */
  readonly disturbance?: Disturbance;
}

/** The first call that a freshly started client process made, to a freshly started server unless that ran already (a target). */
export interface FirstCall {
  readonly armId: string;
  readonly round: number;
  readonly firstCallMs: number;
}

/** How the start of one pair of processes went. */
export interface WarmUp {
  readonly stack: string;
  /** What was set on the stack; absent when all had its default. */
  readonly settings?: Readonly<Record<string, Scalar>>;
  readonly round: number;
  readonly calls: number;
  readonly elapsedMs: number;
  /** False when the cap was reached before the numbers settled. */
  readonly settled: boolean;
}

/** A reason to read a number with care; `armId` when it concerns one arm. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly armId?: string;
}

/** A server that ran already, and how far away it is. */
export interface TargetFacts {
  readonly stack: string;
  /** Without user name, password and query. */
  readonly url: string;
  /** Median time of opening a TCP connection: one round trip. */
  readonly connectMs: number;
}

/** One process of a load generator that made the calls in place of this project's clients. */
export interface Generator {
  /** For example `k6`. */
  readonly name: string;
  /** For example `v1.8.1`; null where it ran elsewhere and did not report it. */
  readonly version: string | null;
  /** Which part of every block's tasks it did, as k6 writes it: `0:1/2`; `0:1` for all of them. */
  readonly segment: string;
}

/** What ran where: filled by the runner, shown by every report. */
export interface Environment {
  readonly runtime: string;
  readonly libraries: Readonly<Record<string, string>>;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly congestionControl: string;
  /** The network between client and server, with its *measured* round-trip time. */
  readonly link: { readonly kind: string; readonly rttMs: number; readonly mtuBytes: number };
  /** Whether what was served here was reached over TLS. Absent in older runs. */
  readonly tls?: boolean;
  /** How long all stacks called at once in each round before each settled alone. Absent in older runs. */
  readonly warmUpMs?: number;
  /** The networks of arms that have one of their own: as asked for, by the factors of those arms, and as measured. */
  readonly links?: readonly {
    readonly kind: string;
    readonly rttMs: number;
    readonly mtuBytes: number;
    readonly asked: Readonly<Record<string, Scalar>>;
  }[];
  /** Why these networks are of their kind and not of a better one; absent when it was asked for by name. */
  readonly linkChoice?: string;
  /** Who made the calls that were timed; absent where this project's clients did. */
  readonly generators?: readonly Generator[];
  /** How processes were placed on cores, in words. */
  readonly placement: string;
  /** The settings of each stack that has any: what held unless an arm's factors say otherwise. Absent in runs of before there were settings. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, Scalar>>>>;
  /** Servers that were not the run's own; absent when there were none. */
  readonly targets?: readonly TargetFacts[];
}

/** One short cell of a search. */
export interface CapacityProbe {
  readonly rateHz: number;
  /** Of response times from the intended start; null when calls failed. */
  readonly p99Ms: number | null;
  /** Share of time, 0 to 1, in which the client's event loop was busy. */
  readonly clientUtilisation: number;
  /** `latency`: the p99 was above the limit, or calls failed. `generator`: the client had no time left, whatever the p99 was. */
  readonly verdict: "kept" | "latency" | "generator";
}

/** What callers got who never paused, before a search and once it had settled: where the search begins, and what its end can be held against. */
export interface ClosedLoopCell {
  readonly callers: number;
  readonly tasksPerSecond: number;
  /** Processor time of the server while its turns had as many calls each as they ever have; null where it is not the run's own. */
  readonly serverCpuMsPerTask: number | null;
  /** Share of time, 0 to 1, in which the client's event loop was busy: near 1, it is the client that was measured. */
  readonly clientUtilisation: number;
}

/** What a stack was found to carry of a task before the rounds, so that it is measured around there: no result by itself. */
export interface Capacity extends StackIds {
  readonly study: string;
  readonly task: string;
  readonly title: string;
  /** What one call in a hundred may take. */
  readonly limitMs: number;
  /** The highest rate that was kept, or the lowest that was tried when none was. */
  readonly foundHz: number;
  /** What the last rate that was not kept failed for; `kept` when every rate was. */
  readonly limitedBy: CapacityProbe["verdict"];
  /** Absent where not all of its calls were answered, and in runs of before it was measured. */
  readonly closedLoop?: ClosedLoopCell;
  /** In the order in which they were tried. */
  readonly probes: readonly CapacityProbe[];
  /** The arms that are measured at shares of it, in their order. */
  readonly armIds: readonly string[];
}

/** How many responses were compared across stacks and variants before timing, and whether all agreed. */
export interface Verification {
  readonly responsesCompared: number;
  readonly answerGroups: number;
  readonly agreed: boolean;
}

/** Everything that the runner wrote down except the single calls. */
export interface RunFacts {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly command: string;
  readonly status: "complete" | "interrupted" | "failed";
  readonly environment: Environment;
  /** The runner's; in a run file that was analysed, also what analysis added. */
  readonly warnings: readonly Warning[];
  readonly arms: readonly Arm[];
  readonly blocks: readonly Block[];
  /** Blocks that were disturbed and measured again, by the same numbers: their calls are not among the samples. Absent where there are none. */
  readonly voidBlocks?: readonly Block[];
  readonly firstCalls: readonly FirstCall[];
  readonly warmUps: readonly WarmUp[];
  /** Absent where nothing was searched. */
  readonly capacities?: readonly Capacity[];
  /** Absent in runs of before it was written down, and in imported ones. */
  readonly roundTimes?: readonly RoundTime[];
  /** Absent where everything was measured. */
  readonly leftOut?: LeftOutCells;
  readonly verification: Verification;
  readonly roundsPlanned: number;
  /** Complete rounds: of one that was cut short there are blocks, and it is not counted. */
  readonly roundsDone: number;
}

/**
 * The single calls in columns of equal length, in the order in which they ended: `arm` is an index into `RunFacts.arms`, `outcome` one into `outcomes`, and
 * times are nanoseconds since the run's start. Sums of bytes are exact, those of a call only where calls do not overlap.
 */
export interface Samples extends ReadColumns {
  readonly length: number;
  /** `OK` or a canonical code. */
  readonly outcomes: readonly string[];
}
