// The results of a run: values with their uncertainty, without formatting.
import type { Claim } from "../claims/claim.ts";
import type { ComputedResults } from "../claims/evidence.ts";
import type { UnsettledStack } from "../warnings/unsettled.ts";
import type { RoundDrift } from "../warnings/round-drift.ts";
import type { Transfer } from "../distance/transfers.ts";
import type { RoundCount } from "../warnings/round-warnings.ts";
import type { CallFailures } from "../metrics/summarise.ts";
import type { OperationFigures } from "../metrics/operation-figures.ts";
import type { Warning } from "@roundtrip/runs";
import type { WithheldPercentiles, VoidCell } from "../metrics/response-percentiles.ts";
import type { MachineUse } from "../warnings/machine-use.ts";

export interface Analysis extends ComputedResults {
  readonly rounds: RoundCount;
  /** Empty without bulk data over a distance. */
  readonly transfers: readonly Transfer[];
  /** One per stack whose blocks changed position between rounds; empty for imported samples. */
  readonly drifts: readonly RoundDrift[];
  /** Stacks that some rounds measured before they had settled. Reports mark them. */
  readonly unsettled: readonly UnsettledStack[];
  /** How busy the machine was with other work; null where its kernel does not count, and in older runs. */
  readonly machineUse: MachineUse | null;
  readonly voidCells: readonly VoidCell[];
  readonly lateTails: readonly WithheldPercentiles[];
  readonly callFailures: readonly CallFailures[];
  /** The operations of each mix, in its order; empty without one. */
  readonly operations: readonly OperationFigures[];
  /** What the figures support, in the order in which a sceptical reader asks. */
  readonly claims: readonly Claim[];
  /** The runner's warnings and those of the analysis (unsettled cells, too few rounds, failed calls). */
  readonly warnings: readonly Warning[];
}
