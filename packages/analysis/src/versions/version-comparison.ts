// The comparison of two versions as a value, without formatting. All documents of a comparison are rendered from it.
import type { Scalar, StackIds } from "@roundtrip/runs";
import type { Warning } from "../warnings/warning.ts";
import type { Metric, Summary } from "../metrics/summarise.ts";

export interface ComparedVersion {
  /** What the user named: a revision, a directory or a command. */
  readonly label: string;
  /** Absent where the version is not a commit. */
  readonly commit?: string;
  /** True when files differed from that commit. */
  readonly dirty?: boolean;
  /** When it was measured or committed, in ISO 8601. */
  readonly when?: string;
}

export type VersionFigures = Omit<Summary, "metric" | "roundMeans">;

export type FiguresOfArm = (armId: string, metric: Metric) => VersionFigures | undefined;

export function versionFigures({ summaries }: { readonly summaries: readonly Summary[] }): FiguresOfArm {
  const rows = new Map(summaries.map(({ metric, roundMeans: _rounds, ...row }) => [`${row.armId} ${metric}`, row]));
  return (armId, metric) => rows.get(`${armId} ${metric}`);
}

/** @param pairs the arms to compare, with the id of both */
export function comparedMemory(
  pairs: readonly { readonly id: string; readonly arm: ArmInBoth; readonly base: string; readonly head: string }[],
  base: FiguresOfArm,
  head: FiguresOfArm,
): readonly ComparedMemory[] {
  const figuresOf = (figures: FiguresOfArm, armId: string): MemoryFigures => ({
    peakBytes: figures(armId, "serverPeakBytes")?.mean ?? null,
    allocatedBytesPerTask: figures(armId, "serverAllocatedBytesPerTask")?.mean ?? null,
  });
  return pairs
    .map(({ id, arm, ...ids }) => ({ id, ...arm, base: figuresOf(base, ids.base), head: figuresOf(head, ids.head) }))
    .filter((row) => [row.base, row.head].every((side) => Object.values(side).some((bytes) => bytes !== null)));
}

/** `worse`: a loss above `tolerate`. `not-worse`: a loss of `detect` is ruled out. `better`: a gain above `tolerate`. `undecided`: none. */
export type CellState = "worse" | "not-worse" | "better" | "undecided";

export interface ArmInBoth extends StackIds {
  readonly study: string;
  readonly task: string;
  readonly title: string;
  readonly variant: string;
  readonly factors: Readonly<Record<string, Scalar>>;
}

/**
 * One metric of one arm, base against head. For every metric, more is worse. Side by side, the verdict on latency rests on the median call. The
 * slowest calls show in the figures of both versions, without a verdict.
 */
export interface ComparedCell extends ArmInBoth {
  /** The same in every comparison that measures this. */
  readonly id: string;
  readonly metric: Metric;
  readonly base: VersionFigures;
  readonly head: VersionFigures;
  /** Rounds that measured each version; equal where rounds are paired. */
  readonly rounds: { readonly base: number; readonly head: number };
  /** Head over base: exp of the mean of the rounds' log ratios. */
  readonly ratio: number;
  /** Ends of the 95 % interval, simultaneous over all cells (and all looks of a job); null with too few rounds for that end. */
  readonly low: number | null;
  readonly high: number | null;
  /** The bound behind a PASS, for this cell alone, at 1 − `passAlpha`; null without a verdict or with too few rounds. */
  readonly atMost: number | null;
  /** Hodges–Lehmann estimate of the same ratio, robust against an outlying round. */
  readonly pseudoMedian: number;
  readonly state: CellState;
  /** The smallest loss (0.05 for 5 %) that all planned rounds find with 90 % probability at this noise; null where unknown. */
  readonly smallestDetectable: number | null;
}

/** Milliseconds a task, over all its calls. */
export interface LatencyFigures {
  readonly p50: number;
  /** Null where the generator dominates it. */
  readonly p99: number | null;
  readonly mean: number;
}

/** A mean or p99 of rounds that moved by more than `tolerate` and its interval, which is simultaneous over all latencies. Ratios are head over base. */
export interface MovedLatency {
  readonly statistic: "mean" | "p99";
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** What a task takes in both versions, whichever metrics are judged: a verdict rests on medians and processor time only. */
export interface ComparedLatency extends ArmInBoth {
  /** The arm's id without its version. */
  readonly id: string;
  readonly base: LatencyFigures;
  readonly head: LatencyFigures;
  readonly moved: readonly MovedLatency[];
}

/** Means in bytes; null where the figure is unknown. */
export interface MemoryFigures {
  /** The most physical memory of the server in a block of the arm. Its processes serve all arms of the stack. */
  readonly peakBytes: number | null;
  readonly allocatedBytesPerTask: number | null;
}

/** The memory of the server of an arm in both versions. No verdict rests on it. */
export interface ComparedMemory extends ArmInBoth {
  /** The arm's id without its version. */
  readonly id: string;
  readonly base: MemoryFigures;
  readonly head: MemoryFigures;
}

/** A count without scatter that differs in head, reported without statistics. */
export interface ExactChange extends ArmInBoth {
  readonly id: string;
  readonly metric: "callsPerTask" | "roundTripsPerTask" | "wireBytesPerTask" | "connectionsPerTask";
  readonly base: number;
  readonly head: number;
}

export interface EnvironmentDifference {
  /** As text: `CPU model`, `version of express`. */
  readonly what: string;
  readonly base: string;
  readonly head: string;
}

/** The result of running the arms of the losses again in fresh processes (and fresh folders, for versions that have folders). */
export interface Recheck {
  readonly isConfirmed: boolean;
  readonly rounds: number;
  readonly cells: readonly {
    readonly id: string;
    readonly isConfirmed: boolean;
    /** Head over base in the new rounds alone; null without values. */
    readonly ratio: number | null;
  }[];
}

interface Compared {
  readonly base: ComparedVersion;
  readonly head: ComparedVersion;
  /** Ignore slowdowns up to this share: 0.02 for 2 %. */
  readonly tolerate: number;
  /** The smallest loss that the comparison must find, as a share. */
  readonly detect: number;
  readonly cells: readonly ComparedCell[];
  /** One per arm whose load was kept. */
  readonly latencies: readonly ComparedLatency[];
  /** One per arm with a figure in both versions. */
  readonly memory: readonly ComparedMemory[];
  readonly exact: readonly ExactChange[];
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
  readonly environmentDifferences: readonly EnvironmentDifference[];
  readonly warnings: readonly Warning[];
}

/** Two versions as arms of the same rounds, with a verdict. */
export interface PairedComparison extends Compared {
  readonly kind: "side-by-side";
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Why it is inconclusive, as a sentence without a full stop; otherwise empty. */
  readonly reason: string;
  /** Reasons against a PASS that do not depend on the figures (lost rounds, an interruption), as clauses. */
  readonly doubts: readonly string[];
  /** Maximum false-failure probability of the whole job. */
  readonly alpha: number;
  /** Maximum false-pass probability of each cell. */
  readonly passAlpha: number;
  /** Complete rounds, and the maximum. */
  readonly rounds: number;
  readonly mostRounds: number;
  /** From the start of the first round to the verdict. */
  readonly durationMs: number;
  readonly recheck: Recheck | null;
}

/** Two runs of separate jobs: compared without a verdict. */
export interface UnpairedComparison extends Compared {
  readonly kind: "run-directories";
}

export type VersionComparison = PairedComparison | UnpairedComparison;
