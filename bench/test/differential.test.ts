// Random requests to every stack: some that never change, and some nobody has seen yet. `pnpm fuzz:differential` makes more of them.
import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { differential } from "../fuzz/differential/differential.ts";

const fresh = randomInt(2 ** 31);
const limitMs = 10_000;

describe("every stack answers what the service answers", () => {
  test.each([
    { which: "requests that are the same each time", seed: 1 },
    { which: "requests that are new each time", seed: fresh },
  ])("to $which (seed $seed)", async ({ seed }) => {
    const { difference, requests } = await differential({ requests: 160, seed, limitMs, onProgress: () => {} });
    expect(difference, `pnpm fuzz:differential --requests 160 --seed ${seed}`).toBeUndefined();
    expect(requests).toBeGreaterThan(0);
  });
});
