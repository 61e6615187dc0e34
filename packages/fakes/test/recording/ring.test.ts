// A ring buffer is a queue.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { Ring } from "../../src/recording/ring.ts";

it("returns its entries in order, however often it is filled and emptied", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer()), { maxLength: 200 }), (steps) => {
      const ring = new Ring<number>();
      const queue: number[] = [];
      for (const step of steps) {
        // Every other step removes one.
        const taken = step === null ? [ring.shift(), queue.shift()] : [ring.push(step), void queue.push(step)];
        expect(taken[0]).toBe(taken[1]);
        expect(ring.items).toEqual(queue);
        expect(ring.length).toBe(queue.length);
      }
    }),
  );
});
