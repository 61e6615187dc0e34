// The seed of fakes that are given none.

/** Fakes, and the example requests for them, depend on the same seed. */
export const usualSeed = 1;
