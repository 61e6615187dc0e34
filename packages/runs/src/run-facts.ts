// The facts of a run: what the runner recorded beside the calls, and every reader of a run reads. Names contain the units. At the end: where a run comes
// from.
import type { Block, FirstCall, RoundMemory, Scalar, WarmUp } from "./block-facts.ts";
import type { ReadColumns } from "./call-columns.ts";
import type { RunEvent } from "./run-events.ts";

/** A stack and its parts. Ids of servers and clients are unique within their style, those of stacks everywhere. */
export interface StackIds {
  /** `rest`, `graphql`, `grpc`, …; `floor` for the lower bound. */
  readonly style: string;
  /** The server library: `express`. */
  readonly server: string;
  /** The client library: `undici`. */
  readonly client: string;
  /** Server and client: `rest-express`. */
  readonly stack: string;
}

export interface StackAsSet extends StackIds {
  readonly title: string;
  /** The title without settings. */
  readonly stackTitle: string;
  readonly settings: Readonly<Record<string, Scalar>>;
}

export interface ArmLoad {
  /** `open`: tasks start on a schedule, whether or not earlier ones were answered. `closed`: each caller pauses, then starts its next task. */
  readonly loop: "open" | "closed";
  /** `poisson`, `constant`, …: the arm's factors contain its parameters. */
  readonly pacer: string;
  /** Open loop: maximum tasks in flight. A task beyond it has the outcome NOT_SENT. */
  readonly mostInFlight?: number;
}

/** One measured alternative: a stack, a variant and all other factors. */
export interface Arm extends StackIds {
  readonly id: string;
  readonly study: string;
  /** What is done, such as `hello`, `read` or `write`. Arms with equal tasks and factors do the same work. */
  readonly task: string;
  /** Display name of the stack with its settings. Not unique. */
  readonly title: string;
  /** Display name of the stack without its settings. */
  readonly stackTitle: string;
  /** Whether its stack is the default of its style; absent in older runs. */
  readonly isDefaultStack?: boolean;
  /** Its ends without a library, on the modules of Node.js alone: bounds of what libraries of its style cost. Absent for none. */
  readonly bounds?: readonly ("server" | "client")[];
  /** `floor`: the lower bound for `style` arms. `in-process`: the same calls without a network. */
  readonly role: "style" | "floor" | "in-process";
  /** `facade`, `chatty`, `chatty-parallel`, `together`, or `single` when the task has one variant. */
  readonly variant: string;
  /** All other factors: `attributes`, `payloadBytes`, `rttMs`, `tls`, … */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Defaults of the factors that are settings of the stack; absent without settings. */
  readonly settingDefaults?: Readonly<Record<string, Scalar>>;
  /** Absent where each caller starts its next task as soon as the last one ends. */
  readonly load?: ArmLoad;
  /** Whether its server had all cores but the client's because it computes on threads; absent where it had one core. */
  readonly computesOnThreads?: boolean;
  readonly callsPerTask: number;
  /** How many of these calls wait for each other, for a variant that makes some at once; absent where `variant` implies it. */
  readonly callsInSequence?: number;
  /** The operation of each step of a mix, of which every task makes one. Absent where a task makes all its calls. */
  readonly mix?: readonly string[];
  /** The factors over which its study compares a façade with other ways, to find from which level on it is faster; absent for all numbers of its work. */
  readonly breakEvensOver?: readonly string[];
  /** TCP connections that the client may use; absent in older runs. */
  readonly connections?: number;
  /** Round trips that the protocol needs on a new connection, beyond those of TCP and TLS; absent for none. */
  readonly connectRoundTrips?: number;
  /** Address of the target; absent for servers that the run started. */
  readonly target?: string;
}

/** A server that was already running, and its distance. */
export interface TargetFacts {
  readonly stack: string;
  /** Without user name, password and query. */
  readonly url: string;
  /** Median time to open a TCP connection: one round trip. */
  readonly connectMs: number;
}

/** How an emulated network differs. `tcp-sees-no-distance`: calls wait outside TCP. `small-buffers`: bursts lose packets beside the set loss. */
export type LinkLimit = "tcp-sees-no-distance" | "small-buffers";

/** One process of a load generator that made the calls instead of Roundtrip's clients. */
export interface Generator {
  readonly name: string;
  /** Such as `v1.8.1`; null where it ran elsewhere and did not report it. */
  readonly version: string | null;
  /** Its share of every block's tasks in k6 syntax, such as `0:1/2`; `0:1` for all. */
  readonly segment: string;
}

/** What ran where. The runner records it; every report shows it. */
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
  /** Whether clients used TLS to the run's own servers. Absent in older runs. */
  readonly tls?: boolean;
  /** How long up to four stacks called at once in each round before each settled alone; more took longer in proportion. Absent in older runs. */
  readonly warmUpMs?: number;
  /** Networks of arms that have their own: as requested, by the factors of those arms, and as measured. */
  readonly links?: readonly {
    readonly kind: string;
    readonly rttMs: number;
    readonly mtuBytes: number;
    readonly asked: Readonly<Record<string, Scalar>>;
    /** Absent without limits. */
    readonly limits?: readonly LinkLimit[];
  }[];
  /** Why these networks have their kind and not a better one; absent when the user selected the kind. */
  readonly linkChoice?: string;
  /** The load generators that made the timed calls; absent where Roundtrip's clients made them. */
  readonly generators?: readonly Generator[];
  readonly placement: string;
  /** Settings of each stack that has any, unless an arm's factors override them. Absent in older runs. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, Scalar>>>>;
  readonly targets?: readonly TargetFacts[];
}

export interface CapacityProbe {
  readonly rateHz: number;
  /** From the intended start; null when calls failed. */
  readonly p99Ms: number | null;
  /** Share of time, 0 to 1, that the client's event loop was busy. */
  readonly clientUtilisation: number;
  /** `latency`: the p99 exceeded the limit, or calls failed. `generator`: the client was saturated, whatever the p99. */
  readonly verdict: "kept" | "latency" | "generator";
}

/** Callers without think time, after they settled. A capacity search starts from this rate, and its result can be compared with it. */
export interface ClosedLoopCell {
  readonly callers: number;
  readonly tasksPerSecond: number;
  /** CPU time of the server under its largest batches of calls per event-loop turn; null for a target. */
  readonly serverCpuMsPerTask: number | null;
  /** Share of time, 0 to 1, that the client's event loop was busy. Near 1, the client limits the rate. */
  readonly clientUtilisation: number;
}

/** The rate that a stack can carry for a task. Searched before the rounds to choose the rates to measure; not a result by itself. */
export interface Capacity extends StackIds {
  readonly study: string;
  readonly task: string;
  readonly title: string;
  /** Limit for the p99. */
  readonly limitMs: number;
  /** The highest rate that was kept, or the lowest rate tried when none was. */
  readonly foundHz: number;
  /** Why the last rate that was not kept failed; `kept` when every rate was kept. */
  readonly limitedBy: "kept" | "latency" | "generator";
  /** Absent where some calls were not answered, and in older runs. */
  readonly closedLoop?: ClosedLoopCell;
  /** In the order of the search. */
  readonly probes: readonly CapacityProbe[];
  /** The arms that are measured at shares of the capacity, in order. */
  readonly armIds: readonly string[];
}

/** How many responses were compared across stacks and variants before timing, and whether all agreed. */
export interface Verification {
  readonly responsesCompared: number;
  readonly answerGroups: number;
  readonly agreed: boolean;
}

/** Wall-clock time of one round by phase, in milliseconds, summed over parts of a round. */
export interface RoundTime {
  /** 0-based. */
  readonly round: number;
  /** Processes start, load their code and connect. */
  readonly startingMs: number;
  readonly firstCallsMs: number;
  /** Every arm runs once, and its answer is compared. */
  readonly verificationMs: number;
  readonly warmUpMs: number;
  /** The measurement, and the messages to processes before and after each block. */
  readonly blocksMs: number;
  /** Processes end, and the run writes calls and facts. */
  readonly endingMs: number;
}

/** One cell without results: left out on all stacks, including the floor. */
export interface LeftOutCell {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, Scalar>>;
  /** 1 is never left out; the largest number goes first. */
  readonly priority: number;
}

export interface LeftOutCells {
  readonly cells: readonly LeftOutCell[];
  /** Their arms, and those of the floor that are left out with them. */
  readonly armIds: readonly string[];
  /** Share, up to 1, of the calls of all other cells that every round was planned to make. */
  readonly shareOfCalls: number;
  /** The run's time limit. */
  readonly withinMs: number;
  /** The `--budget` that would be enough for everything, estimated from the first round's warm-up. */
  readonly budgetMs: number;
}

/** Everything that the runner recorded except the calls. */
export interface RunFacts {
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly command: string;
  readonly status: "complete" | "interrupted" | "failed";
  readonly environment: Environment;
  /** What happened while the run was recorded. Warnings are derived from facts when a run is read, and are not here. */
  readonly events: readonly RunEvent[];
  readonly arms: readonly Arm[];
  readonly blocks: readonly Block[];
  /** Blocks in which a process stood still, measured again under the same numbers. The samples do not contain their calls. Absent without such blocks. */
  readonly voidBlocks?: readonly Block[];
  readonly firstCalls: readonly FirstCall[];
  readonly warmUps: readonly WarmUp[];
  /** Absent in older runs, and where another generator made the calls. */
  readonly memory?: readonly RoundMemory[];
  readonly capacities?: readonly Capacity[];
  /** Absent in older and in imported runs. */
  readonly roundTimes?: readonly RoundTime[];
  readonly leftOut?: LeftOutCells;
  /** The time limit for which rounds are missing; absent if all planned rounds were made, or something else ended the run. */
  readonly timeLimitMs?: number;
  readonly verification: Verification;
  readonly roundsPlanned: number;
  /** Complete rounds. An interrupted round has blocks, but does not count. */
  readonly roundsDone: number;
}

/**
 * The calls as columns of equal length, in the order in which they ended. `arm` indexes `RunFacts.arms`, `outcome` indexes `outcomes`. Times are
 * nanoseconds since the run's start. Sums of bytes are exact; the bytes of a single call only where calls do not overlap.
 */
export interface Samples extends ReadColumns {
  readonly length: number;
  /** `OK` or a canonical code. */
  readonly outcomes: readonly string[];
}

/** `k6 v1.8.1, 2 instances`; undefined for Roundtrip's clients. */
export function generatorName({ generators = [] }: Pick<Environment, "generators">): string | undefined {
  const [first] = generators;
  if (first === undefined) return undefined;
  const segments = new Set(generators.map(({ segment }) => segment)).size;
  const name = `${first.name} ${first.version ?? "of an unknown version"}`;
  return segments === 1 ? name : `${name}, ${segments} instances`;
}

export function isImported({ events }: Pick<RunFacts, "events">): boolean {
  return events.some(({ kind }) => kind === "imported");
}

/** The ids of a stack known only by its name, such as one of imported samples. */
export function idsFromName(name: string): StackIds {
  return { style: name, server: name, client: name, stack: name };
}
