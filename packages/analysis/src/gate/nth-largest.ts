// The n-th largest of many numbers without sorting them.

/**
 * The value with `above` values before it in descending order, of the first `length` values; they are left in another order. Hoare,
 * "Algorithm 65: Find", Communications of the ACM 4 (1961).
 */
export function nthLargest(values: Float64Array, length: number, above: number): number {
  let left = 0;
  let right = length - 1;
  while (left < right) {
    const pivot = values[(left + right) >>> 1] as number;
    let i = left;
    let j = right;
    while (i <= j) {
      while ((values[i] as number) > pivot) i += 1;
      while ((values[j] as number) < pivot) j -= 1;
      if (i > j) break;
      const swapped = values[i] as number;
      values[i] = values[j] as number;
      values[j] = swapped;
      i += 1;
      j -= 1;
    }
    if (above <= j) right = j;
    else if (above >= i) left = i;
    else break;
  }
  return values[above] as number;
}
