// The published evidence about the gate: all simulated jobs, as in docs/gate/evidence.json.
import type { HeadToHeadRow } from "./head-to-head.ts";
import type { NullRow } from "./null-jobs.ts";
import type { PowerRow } from "./power-jobs.ts";

export interface Evidence {
  readonly seed: number;
  readonly null: readonly NullRow[];
  readonly power: readonly PowerRow[];
  readonly headToHead: readonly HeadToHeadRow[];
}
