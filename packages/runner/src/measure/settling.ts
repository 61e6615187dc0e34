// Judges from the times of passes whether a process is still getting faster.

/** The middle value; of an even number the mean of both. */
function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((one, other) => one - other);
  const middle = (ascending.length - 1) / 2;
  return ((ascending[Math.floor(middle)] ?? Number.NaN) + (ascending[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

interface Thirds {
  readonly early: readonly number[];
  readonly late: readonly number[];
}

function thirdsOf(passesMs: readonly number[]): Thirds {
  const size = Math.max(1, Math.floor(passesMs.length / 3));
  return { early: passesMs.slice(0, size), late: passesMs.slice(-size) };
}

/** The usual distance of a pass from the median of its third, as a share of that: a standard deviation without its outliers. */
function scatterOf({ early, late }: Thirds): number {
  const deviations = [early, late].flatMap((third) => {
    const centre = medianOf(third);
    return third.map((ms) => Math.abs(ms / centre - 1));
  });
  // For normal noise: the quartiles lie 0.6745 standard deviations from the centre.
  return medianOf(deviations) / 0.6745;
}

/**
 * True if the last third of the passes is no faster than the first by more than `tolerance`. Medians are compared: one pass that a garbage collection
 * or another process delays says nothing. At least two passes.
 */
export function isTrendOver(passesMs: readonly number[], tolerance: number): boolean {
  if (passesMs.length < 2) return false;
  const { early, late } = thirdsOf(passesMs);
  return medianOf(late) >= (1 - tolerance) * medianOf(early);
}

/** A larger standard error of the trend, in tolerances, hides it. */
const mostError = 1.5;

/** Three in a third: with fewer, the noise is unknown. */
const fewestPasses = 9;

/** True if there are enough passes, and little enough noise in them, to see a trend beyond the tolerance. */
export function isTrendVisible(passesMs: readonly number[], tolerance: number): boolean {
  if (passesMs.length < fewestPasses) return false;
  const thirds = thirdsOf(passesMs);
  // The standard error of a median is √(π / 2) times that of a mean.
  const error = scatterOf(thirds) * Math.sqrt(((Math.PI / 2) * 2) / thirds.early.length);
  return error <= mostError * tolerance;
}
