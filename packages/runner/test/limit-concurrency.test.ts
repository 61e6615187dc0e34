// Work that waits for a place.
import { expect, it } from "vitest";
import { limitConcurrency } from "../src/basics/concurrency.ts";

it("runs so much at once and no more, in the order in which it was asked for, and a failure gives its place back", async () => {
  const place = limitConcurrency(2);
  const begun: number[] = [];
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<void>());
  const works = ends.map(({ promise }, index) =>
    place(async () => {
      begun.push(index);
      await promise;
    }),
  );
  const ended = Promise.allSettled(works);
  await Promise.resolve();
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error("no"));
  await works[1]?.catch(() => undefined);
  await Promise.resolve();
  expect(begun).toEqual([0, 1, 2]);
  for (const { resolve } of ends) resolve();
  expect((await ended).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
  expect(begun).toEqual([0, 1, 2, 3]);
});
