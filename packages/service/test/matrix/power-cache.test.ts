// The cache of powers: how many it keeps, which goes first, and what counts as the same.
import { expect, it } from "vitest";
import { PowerCache, powerKey } from "../../src/matrix/power-cache.ts";

const key = (elements: readonly number[], exponent = 3) => powerKey(Float64Array.from(elements), exponent);

it("keeps as many powers as it may, and evicts the oldest first, used or not", () => {
  const cache = new PowerCache(200);
  for (let at = 0; at < 200; at++) cache.add(`key ${at}`, [at]);
  expect(cache.get("key 0")).toEqual([0]);
  cache.add("key 200", [200]);
  expect(cache.get("key 0")).toBeUndefined();
  expect(cache.get("key 1")).toEqual([1]);
  cache.add("key 201", [201]);
  expect(cache.get("key 1")).toBeUndefined();
  expect(cache.get("key 200")).toEqual([200]);
});

it("distinguishes matrices by every bit, and powers by their exponent", () => {
  expect(key([1, 0, 0, 1])).toBe(key([1, 0, 0, 1]));
  const keys = [key([1, 0, 0, 1]), key([1, -0, 0, 1]), key([1, 0, 5e-324, 1]), key([1, 0, 0, 1], 4), key([1])];
  expect(new Set(keys).size).toBe(keys.length);
});
