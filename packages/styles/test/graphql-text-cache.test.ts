// How many documents a GraphQL server keeps, which its callers write.
import { expect, test, vi } from "vitest";
import { TextCache } from "../src/graphql/documents/store.ts";

const quarter = 2 ** 15;

test("a value is found by its text", () => {
  const cache = new TextCache<number>();
  cache.set("a", 1);
  expect([cache.get("a"), cache.get("b")]).toEqual([1, undefined]);
});

test("texts are forgotten when they are too long together, and the newest is kept", () => {
  const cache = new TextCache<number>();
  const texts = ["a", "b", "c", "d", "e"].map((letter) => letter.repeat(quarter));
  for (const [index, text] of texts.entries()) cache.set(text, index);
  expect(texts.map((text) => cache.get(text))).toEqual([undefined, undefined, undefined, undefined, 4]);
});

test("a text that is kept already takes no more of the limit", () => {
  const cache = new TextCache<number>();
  const text = "a".repeat(quarter);
  for (let time = 0; time < 10; time += 1) cache.set(text, time);
  cache.set("b", 1);
  expect([cache.get(text), cache.get("b")]).toEqual([0, 1]);
});

test("a text longer than the limit is not kept, and displaces nothing", () => {
  const cache = new TextCache<number>();
  cache.set("a", 1);
  cache.set("b".repeat(4 * quarter + 1), 2);
  expect([cache.get("a"), cache.get("b".repeat(4 * quarter + 1))]).toEqual([1, undefined]);
});

test("1,024 short texts fill the cache, and one more text empties it", () => {
  const onEmptied = vi.fn<() => void>();
  const cache = new TextCache<true>(onEmptied);
  const texts = Array.from({ length: 1_024 }, (_, at) => String(at));
  for (const text of texts) cache.set(text, true);
  expect([texts.every((text) => cache.get(text)), onEmptied.mock.calls.length]).toEqual([true, 0]);
  cache.set("another", true);
  expect([texts.some((text) => cache.get(text)), onEmptied.mock.calls.length]).toEqual([false, 1]);
});

test("says whether it keeps a text", () => {
  const cache = new TextCache<true>();
  expect([cache.set("a", true), cache.set("a", true), cache.set("b".repeat(4 * quarter + 1), true)]).toEqual([
    true,
    true,
    false,
  ]);
});
