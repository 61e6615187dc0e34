// How far apart clocks were, by the offset that each instance measured against a server's.
import { expect, it } from "vitest";
import { clockSkew } from "../../src/engine/log-round.ts";
import { t0Ms } from "../support/plans.ts";

const instanceWith = (clockMs: number, segment: string) => ({ file: "", t0Ms, segment, version: undefined, clockMs });

it("is between the clock that is the furthest behind and the one that is the furthest ahead", () => {
  const skew = clockSkew([instanceWith(2, "0:1/3"), instanceWith(-40, "1/3:2/3"), instanceWith(3_000, "2/3:1")]);
  expect([skew?.skewMs, skew?.behind.segment, skew?.ahead.segment]).toEqual([3_040, "1/3:2/3", "2/3:1"]);
});

it("is unknown for one clock, and if servers sent no time", () => {
  expect(clockSkew([instanceWith(2, "0:1")])).toBeUndefined();
  expect(clockSkew([instanceWith(2, "0:1/2"), instanceWith(Number.NaN, "1/2:1")])).toBeUndefined();
});
