// What is said of an arm that has nothing to tell.

/** An arm whose load was not what was asked for: it has no latency to tell. */
export interface VoidCell {
  readonly armId: string;
  /** In words, one or more. */
  readonly reasons: readonly string[];
}
