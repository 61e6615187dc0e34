// Paths that were equal until now: what is known of the first is true of those that follow.

/** The first `from` entries again and again until there are `to`. */
export function repeatTo(array: Float64Array | Uint8Array, from: number, to: number): void {
  for (let filled = from; filled < to; filled *= 2) array.copyWithin(filled, 0, filled);
}
