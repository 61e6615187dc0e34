// What analysis claims about a run: values with their uncertainty, for any renderer. Nothing here is formatted.
import type { ComputedResults } from "../findings/evidence.ts";
import type { Finding } from "../findings/finding.ts";
import type { UnsettledStack } from "../warnings/unsettled.ts";
import type { RoundDrift } from "../warnings/round-drift.ts";
import type { Transfer } from "../distance/transfers.ts";
import type { RoundCount } from "../warnings/round-warnings.ts";
import type { CallFailures } from "../metrics/call-failures.ts";
import type { Warning } from "../run/run-facts.ts";
import type { LateTail, VoidCell } from "../metrics/void-cell.ts";
import type { MachineUse } from "../warnings/machine-use.ts";

/** All that is claimed about a run. */
export interface Analysis extends ComputedResults {
  readonly rounds: RoundCount;
  /** Empty unless bulk data went over a distance. */
  readonly transfers: readonly Transfer[];
  /** One for each stack whose blocks changed places from round to round; none for foreign samples. */
  readonly drifts: readonly RoundDrift[];
  /** Stacks to be marked: in some rounds they were measured before they had settled. */
  readonly unsettled: readonly UnsettledStack[];
  /** How busy the machine was with other things; null where its kernel does not count, and in older runs. */
  readonly machineUse: MachineUse | null;
  /** Arms whose generator was not up to their load. */
  readonly voidCells: readonly VoidCell[];
  /** Arms whose mean is reported and some of whose percentiles are not. */
  readonly lateTails: readonly LateTail[];
  /** Arms of which calls failed. */
  readonly callFailures: readonly CallFailures[];
  /** The verdict first to last, most important first. */
  readonly findings: readonly Finding[];
  /** The runner's warnings and what analysis adds (unsettled cells, too few rounds, failed calls). */
  readonly warnings: readonly Warning[];
}
