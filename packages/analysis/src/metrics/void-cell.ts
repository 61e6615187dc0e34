// An arm without a latency, and why.

/** `left-out`: tasks were not begun. `late`: some began too late. `busy`: the client had no time left for answers. */
export type VoidCode = "left-out" | "late" | "busy";

/** An arm whose load was not what was asked for: it has no latency. */
export interface VoidCell {
  readonly armId: string;
  readonly codes: readonly VoidCode[];
  /** In words, one for each code or more. */
  readonly reasons: readonly string[];
}
