// What is known of few paths, for all that come of them.
import { expect, it } from "vitest";
import { repeatTo } from "../../src/gate/flip-sums.ts";

it.each([
  [1, 8, [1, 1, 1, 1, 1, 1, 1, 1]],
  [2, 8, [1, 2, 1, 2, 1, 2, 1, 2]],
  [4, 8, [1, 2, 3, 4, 1, 2, 3, 4]],
  [2, 4, [1, 2, 1, 2, 5, 6, 7, 8]],
  [4, 4, [1, 2, 3, 4, 5, 6, 7, 8]],
])("the first %d of eight are repeated up to %d", (from, to, expected) => {
  const array = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
  repeatTo(array, from, to);
  expect([...array]).toEqual(expected);
});
