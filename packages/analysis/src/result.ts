// What analysis claims about a run: values with their uncertainty, for any renderer. Nothing here is formatted.
import type { Anomaly } from "./anomalies/anomaly.ts";
import type { CarriedLoad } from "./load/carried-load.ts";
import type { ArmGarbage } from "./load/garbage.ts";
import type { LoadSeries } from "./load/load-series.ts";
import type { CallFailures } from "./metrics/call-failures.ts";
import type { Arm, Scalar, Warning } from "./run.ts";
import type { StackAsSet } from "./stack-ids.ts";
import type { Summary } from "./summary.ts";
import type { LateTail } from "./late-tail.ts";
import type { IntervalBasis } from "./statistics/simultaneous-intervals.ts";
import type { VoidCell } from "./void-cell.ts";
import type { MachineUse } from "./warnings/machine-use.ts";

/** A ratio of two arms from round-level paired log ratios. */
export interface Ratio {
  readonly ratio: number;
  /** Simultaneous 95 % interval over the family it belongs to; null below three rounds. */
  readonly low: number | null;
  readonly high: number | null;
  /** What the interval rests on: `student-t`, from three to five rounds, assumes normal noise; null where there is no interval. */
  readonly basis: IntervalBasis | null;
  /** Hodges–Lehmann pseudo-median of the same round-level ratios. */
  readonly hodgesLehmann: number;
  readonly rounds: number;
}

/** `numerator` takes `ratio` times the latency of `denominator`. */
export interface Comparison extends Ratio {
  /**
   * What differs between the two: the stack, the variant, stack against floor, the size of the payload (the larger is the numerator), or
   * one setting of the stack (its default, or else the level that comes first in the run, is the denominator).
   */
  readonly kind: "stack" | "variant" | "floor" | "size" | "setting";
  readonly numeratorId: string;
  readonly denominatorId: string;
  /** `different` when the interval excludes 1, `indistinguishable` when it lies within ±2 % from six rounds on, else `inconclusive`. */
  readonly verdict: "different" | "indistinguishable" | "inconclusive";
  /** The comparisons that the interval is simultaneous with: one kind in one study and task, what a reader sees as one table. */
  readonly family: string;
  readonly familySize: number;
}

/** CPU time per task of one process of one arm over that of another, as a ratio. */
export interface CpuRatio extends Ratio {
  readonly metric: "serverCpuMsPerTask" | "clientCpuMsPerTask";
  readonly numeratorId: string;
  readonly denominatorId: string;
}

/** From how many attributes on the façade is faster, per stack and task. */
export interface BreakEven extends StackAsSet {
  readonly study: string;
  readonly task: string;
  /** Every factor but `attributes`. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** The chatty variant that the façade is held against. */
  readonly against: string;
  /** Where the two fitted lines cross, in attributes; null when that is beyond the largest measured count or more than one below the smallest. */
  readonly attributes: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it has no end. */
  readonly low: number | null;
  readonly high: number | null;
  /** True when the façade is faster at every attribute count that was measured. */
  readonly always: boolean;
  /** Milliseconds that one more attribute costs, by the façade and by the chatty way. */
  readonly facadeMsPerAttribute: number;
  readonly facadeMsPerAttributeLow: number | null;
  readonly facadeMsPerAttributeHigh: number | null;
  readonly chattyMsPerAttribute: number;
  readonly chattyMsPerAttributeLow: number | null;
  readonly chattyMsPerAttributeHigh: number | null;
}

/** What one way to call waits for, from its latency over distance. */
export interface RoundTrips extends StackAsSet {
  readonly study: string;
  readonly task: string;
  readonly variant: string;
  /** Every factor of the work but the distance. */
  readonly factors: Readonly<Record<string, Scalar>>;
  /** Its arms, near to far. */
  readonly armIds: readonly string[];
  /** Of the first call between fresh processes, or of all others. */
  readonly isFirstCall: boolean;
  /** Calls of a task that wait for each other: all, or 1 where they are made at once. */
  readonly callsInSequence: number;
  /** Whether each call opened a connection of its own: counted. */
  readonly opensConnections: boolean;
  readonly tls: boolean;
  /** Both directions, as counted on the client's sockets. */
  readonly bytesPerCall: number;
  /** Slope of latency against the measured round-trip time, for each call in sequence. */
  readonly perCall: number;
  /** 95 % interval over rounds; null with too few. */
  readonly low: number | null;
  readonly high: number | null;
  /** From first principles: handshakes, slow start, windows and bandwidth; not a whole number where the latter counts. */
  readonly predicted: number;
  /** More than that where HTTP/2 windows limit: they let through between half of them and all. Else the same. */
  readonly predictedMost: number;
  /** False where measured and predicted differ by more than 0.05 for each round trip, and the interval does not hold the predicted. */
  readonly asPredicted: boolean;
  /** Latency of a task that is left at no distance: time of processors. */
  readonly interceptMs: number;
  readonly interceptLowMs: number | null;
  readonly interceptHighMs: number | null;
  readonly rounds: number;
}

/** Bulk data over a distance, in calls of one arm. */
export interface Transfer {
  readonly armId: string;
  /** Measured. */
  readonly rttMs: number;
  /** Of one call, as counted on the client's sockets: of its larger direction, or of both where both are bulk. */
  readonly bytesMoved: number;
  readonly totalMs: number;
  /** From the call's start to its first message; null where that is the whole answer. */
  readonly firstByteMs: number | null;
  /** Halts inside a transfer that were longer than half a round trip, as its receiver saw them; null where that is the server, and where half a round trip is too short to tell. */
  readonly pauses: number | null;
  readonly bytesPerSecond: number;
  /** Whether each goes over a connection of its own, opened for it. */
  readonly opensConnection: boolean;
  /** What TCP, TLS, windows and the line take, without any time of a processor: two bounds where a window of HTTP/2 limits. */
  readonly mustBe: { readonly leastMs: number; readonly mostMs: number };
  /** What lets the least through, of what the run knows: the line's bandwidth, or a window in each round trip; null where it knows none. */
  readonly limit: {
    readonly by: "line" | "TCP window" | "HTTP/2 window";
    readonly bytesPerSecond: number;
  } | null;
}

/** From which round-trip time on a façade beats another way to call, on the same stack or another. */
export interface Crossover extends StackAsSet {
  readonly study: string;
  readonly task: string;
  /** The way that loses to the façade. */
  readonly variant: string;
  /** The stack of the façade. */
  readonly facade: StackAsSet;
  /** Of that its id and its name, where readers of JSON have found them before there was more to say. */
  readonly facadeStack: string;
  readonly facadeTitle: string;
  /** Where the two lines cross, in ms; null where they do not between the nearest and the farthest that were measured. */
  readonly aboveMs: number | null;
  /** 95 % interval of the crossing over rounds (Fieller); null with too few rounds, or when it has no end. */
  readonly low: number | null;
  readonly high: number | null;
  /** Which line is below the other from the nearest to the farthest; null when neither is. */
  readonly always: "facade" | "other" | null;
  /** Whether intervals over rounds say so too: of the crossing, or of the distance of the lines at both ends. */
  readonly isClear: boolean;
  /** The measured round-trip times between which this holds. */
  readonly nearestMs: number;
  readonly farthestMs: number;
  readonly rounds: number;
  readonly armIds: readonly string[];
}

/** One sentence of the verdict with what it rests on. */
export interface Finding {
  readonly code: string;
  readonly study: string;
  readonly sentence: string;
  /** `clear`: the interval supports it. `likely`: it does, if noise is normal (few rounds). `none`: no difference can be told. `inconclusive`: the data cannot say. `measured`: figures side by side. `fact`: counted. */
  readonly strength: "clear" | "likely" | "none" | "inconclusive" | "measured" | "fact";
  readonly armIds: readonly string[];
}

/** A distribution prepared for drawing: never more than a few hundred numbers per arm, whatever the run's size. */
export interface Distribution {
  readonly armId: string;
  /** At most 200 outliers, the extremes always among them. */
  readonly outliersDrawn: readonly number[];
  /** Letter values (Hofmann, Wickham, Kafadar 2017) from 1,000 samples on; empty below. Pairs from the quartiles outward. */
  readonly letterValues: readonly { readonly depth: number; readonly low: number; readonly high: number }[];
  /** Empirical distribution function: `fraction` of the samples are at or below `latencyMs`. */
  readonly ecdf: readonly { readonly latencyMs: number; readonly fraction: number }[];
  /** Mean latency per round, in the order of rounds: drift and outlying rounds show here. */
  readonly roundMeansMs: readonly number[];
}

/** How far a run came. What is begun and not complete was cut short: what it measured counts, arms that it did not reach have nothing of it. */
export interface RoundCount {
  readonly planned: number;
  readonly complete: number;
  /** Rounds of which anything was measured, the complete ones among them. */
  readonly begun: number;
}

/** How a stack's latency moved inside a round, from its first block to its last, with differences between arms and rounds taken out. */
export interface RoundDrift extends StackAsSet {
  /** Latency at the end of a round over that at its beginning: 0.8 is a fifth faster. */
  readonly ratio: number;
  /** 95 % interval over rounds, simultaneous over the run's stacks; null with too few rounds. */
  readonly low: number | null;
  readonly high: number | null;
  readonly rounds: number;
}

/** A stack whose warm-up was cut off before its numbers settled. */
export interface UnsettledStack extends StackAsSet {
  /** The rounds in which it was, 0-based and ascending. */
  readonly rounds: readonly number[];
  /** Rounds in which it was warmed up at all. */
  readonly of: number;
}

/** All that is claimed about a run. */
export interface Analysis {
  readonly arms: readonly Arm[];
  readonly rounds: RoundCount;
  readonly summaries: readonly Summary[];
  readonly comparisons: readonly Comparison[];
  readonly breakEvens: readonly BreakEven[];
  /** Empty unless something was measured at two distances or more. */
  readonly roundTrips: readonly RoundTrips[];
  readonly crossovers: readonly Crossover[];
  /** Empty unless bulk data went over a distance. */
  readonly transfers: readonly Transfer[];
  /** Stacks against each other at the task that leads the run, both processes, as one family. */
  readonly cpuRatios: readonly CpuRatio[];
  /** One for each stack whose blocks changed places from round to round; none for foreign samples. */
  readonly drifts: readonly RoundDrift[];
  /** Stacks to be marked: in some rounds they were measured before they had settled. */
  readonly unsettled: readonly UnsettledStack[];
  /** How busy the machine was with other things; null where its kernel does not count, and in older runs. */
  readonly machineUse: MachineUse | null;
  /** Garbage collections of both processes, arm by arm. */
  readonly garbage: readonly ArmGarbage[];
  /** Arms whose generator was not up to their load. */
  readonly voidCells: readonly VoidCell[];
  /** Arms whose mean is told and some of whose percentiles are not. */
  readonly lateTails: readonly LateTail[];
  /** Arms of which calls failed. */
  readonly callFailures: readonly CallFailures[];
  /** Response times over rates of arrival beside those of models; empty unless something was measured at a rate and by one caller alone. */
  readonly loadSeries: readonly LoadSeries[];
  /** What stacks carry within a limit of p99; empty unless that was searched. */
  readonly carriedLoads: readonly CarriedLoad[];
  /** Cells that left their model, the farthest first. */
  readonly anomalies: readonly Anomaly[];
  readonly distributions: readonly Distribution[];
  /** The verdict first to last, most important first. */
  readonly findings: readonly Finding[];
  /** The runner's warnings and what analysis adds (unsettled cells, too few rounds, failed calls). */
  readonly warnings: readonly Warning[];
}
