// Two versions held against each other, as a value: what every document of a comparison is made of. Nothing here is formatted.
import type { Scalar, Warning } from "../run/run-facts.ts";
import type { StackIds } from "../run/stack-ids.ts";
import type { Metric, Summary } from "../metrics/summary.ts";

/** One of the two. */
export interface ComparedVersion {
  /** What the user called it: a revision, a directory, a command. */
  readonly label: string;
  /** Absent where it is no commit. */
  readonly commit?: string;
  /** True when files differed from that commit. */
  readonly dirty?: boolean;
  /** When it was measured, or committed: ISO 8601. */
  readonly when?: string;
}

/** One metric of one arm in one version. */
export interface VersionFigures extends Omit<Summary, "metric"> {
  /** At most 40 outliers, the extremes always among them; empty for metrics whose samples are not kept. */
  readonly outliersDrawn: readonly number[];
}

/**
 * `worse`: more than what is tolerated was lost. `not-worse`: a loss as large as what is to be detected is ruled out. `better`: more than what is
 * tolerated was gained. `undecided`: the rounds cannot say.
 */
export type CellState = "worse" | "not-worse" | "better" | "undecided";

/** An arm that both versions have. */
export interface ArmInBoth extends StackIds {
  readonly study: string;
  readonly task: string;
  /** The stack's name for people. */
  readonly title: string;
  readonly variant: string;
  /** Every other factor. */
  readonly factors: Readonly<Record<string, Scalar>>;
}

/**
 * One metric of one arm, base against head. Of every such metric more is worse. Side by side, what is judged of a latency is that of the median call:
 * what becomes of the slowest ones shows in the figures of both, and is not judged.
 */
export interface ComparedCell extends ArmInBoth {
  /** The same in every comparison that measures this. */
  readonly id: string;
  readonly metric: Metric;
  readonly base: VersionFigures;
  readonly head: VersionFigures;
  /** Rounds that measured each; equal where they are paired. */
  readonly rounds: { readonly base: number; readonly head: number };
  /** Head over base: exp of the mean of round-level log ratios. */
  readonly ratio: number;
  /** Ends of its 95 % interval, simultaneous over all cells (and all looks of a job); null where there are too few rounds for that end. */
  readonly low: number | null;
  readonly high: number | null;
  /** The bound that a pass rests on: this cell's own, at 1 − `passAlpha`; null where nothing was judged, or there are too few rounds for it. */
  readonly atMost: number | null;
  /** Hodges–Lehmann estimate of the same ratio, which one wild round does not move. */
  readonly pseudoMedian: number;
  readonly state: CellState;
  /** Probability of a loss like this one or larger, anywhere in the comparison, if nothing were lost beyond what is tolerated; null where nothing was tested. */
  readonly adjustedP: number | null;
  /** The smallest loss (0.05 for 5 %) that all planned rounds show nine times in ten if they are as noisy as these; null where that is not known. */
  readonly smallestDetectable: number | null;
}

/** A count that does not scatter, and is another in head: reported without statistics. */
export interface ExactChange extends ArmInBoth {
  /** As that of {@link ComparedCell}. */
  readonly id: string;
  readonly metric: "callsPerTask" | "roundTripsPerTask" | "wireBytesPerTask" | "connectionsPerTask";
  readonly base: number;
  readonly head: number;
}

/** What was not the same around the two. */
export interface EnvironmentDifference {
  /** In words: `CPU model`, `version of express`. */
  readonly what: string;
  readonly base: string;
  readonly head: string;
}

/** What became of the losses that were found when their arms ran again in fresh processes; versions that have folders, in fresh ones. */
export interface Recheck {
  /** Whether any was seen again. */
  readonly isConfirmed: boolean;
  readonly rounds: number;
  readonly cells: readonly {
    /** That of the {@link ComparedCell}. */
    readonly id: string;
    readonly isConfirmed: boolean;
    /** Head over base in the fresh rounds alone; null where they gave nothing. */
    readonly ratio: number | null;
    readonly adjustedP: number | null;
  }[];
}

interface Compared {
  readonly base: ComparedVersion;
  readonly head: ComparedVersion;
  /** Ignore slowdowns up to this share: 0.02 for 2 %. */
  readonly tolerate: number;
  /** A loss of this share must not be overlooked. */
  readonly detect: number;
  /** In the order of the arms. */
  readonly cells: readonly ComparedCell[];
  readonly exact: readonly ExactChange[];
  /** Ids of arms that only one of the two has. */
  readonly onlyBase: readonly string[];
  readonly onlyHead: readonly string[];
  readonly environmentDifferences: readonly EnvironmentDifference[];
  readonly warnings: readonly Warning[];
}

/** Two versions as arms of the same rounds: this can be judged. */
export interface PairedComparison extends Compared {
  readonly kind: "side-by-side";
  readonly verdict: "pass" | "fail" | "inconclusive";
  /** Why it is inconclusive, in a sentence without a full stop; empty otherwise. */
  readonly reason: string;
  /** Why it may not pass whatever the figures say (lost rounds, an interruption): clauses. */
  readonly doubts: readonly string[];
  /** The probability of a false alarm, for the whole job. */
  readonly alpha: number;
  /** The same of a false pass, for each cell. */
  readonly passAlpha: number;
  /** Complete rounds, and the most that could have been. */
  readonly rounds: number;
  readonly mostRounds: number;
  /** From the first round's beginning to the verdict. */
  readonly durationMs: number;
  /** Null where nothing ran again. */
  readonly recheck: Recheck | null;
}

/** Two runs, each of a job of its own: they can be shown beside each other, not judged. */
export interface UnpairedComparison extends Compared {
  readonly kind: "run-directories";
}

export type VersionComparison = PairedComparison | UnpairedComparison;
