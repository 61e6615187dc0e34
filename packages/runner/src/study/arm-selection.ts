// The arms that remain after a check, and why the others do not.
import type { Warning } from "@roundtrip/analysis";
import type { PlannedArm } from "./planned-arm.ts";

export interface ArmSelection {
  readonly measured: readonly PlannedArm[];
  /** One for each reason why arms are left out. */
  readonly warnings: readonly Warning[];
}
