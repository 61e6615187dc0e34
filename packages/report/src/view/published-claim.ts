// What a publication found, in words.

/** What in a run can show the same as what was found. */
export type ClaimKind =
  | "thinking-shortens-round-trips"
  | "model-predicts-round-trips"
  | "response-explodes-at-capacity"
  | "knee-moves"
  | "work-grows-and-way-stays";

/** One thing that a publication found. */
export interface PublishedClaim {
  /** A sentence without its full stop: `the cache moves the knee to the right`. */
  readonly found: string;
  readonly kind: ClaimKind;
}
