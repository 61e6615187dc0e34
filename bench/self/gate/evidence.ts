// What is published of the gate: all simulated jobs, as docs/gate/evidence.json keeps them.
import type { HeadToHeadRow } from "./head-to-head.ts";
import type { NullRow } from "./null-jobs.ts";
import type { PowerRow } from "./power-jobs.ts";

export interface Evidence {
  readonly seed: number;
  readonly null: readonly NullRow[];
  readonly power: readonly PowerRow[];
  readonly headToHead: readonly HeadToHeadRow[];
}
