// Garbage collections as a part of service times: counted over blocks, and as much variance as they make.
import { describe, expect, it } from "vitest";
import { garbageByArm, garbageTogether, noGarbage, serviceWith } from "../src/metrics/garbage.ts";
import type { Block } from "@roundtrip/runs";
import { loadedBlock } from "./synthetic-run.ts";

function block(armId: string, calls: number, gcCount: number, gcMs: number): Block {
  const server = { loopDelayMeanMs: 0, loopDelayMaxMs: 0, gcCount, gcMs };
  return { ...loadedBlock({ armId, block: 0, tasks: calls, serverCpuMs: 50 }), calls, server };
}

describe("garbage", () => {
  it("is counted by call, over all blocks of an arm", () => {
    const [one, other] = garbageByArm([block("one", 100, 1, 5), block("other", 50, 0, 0), block("one", 300, 3, 7)]);
    expect(one).toEqual({ armId: "one", calls: 400, client: noGarbage, server: { perCall: 0.01, meanMs: 3 } });
    expect(other).toMatchObject({ armId: "other", calls: 50, server: noGarbage });
  });

  it("of several arms is that of all their calls", () => {
    const arms = garbageByArm([block("one", 100, 1, 5), block("other", 300, 3, 7)]);
    expect(garbageTogether(arms, "server")).toEqual({ perCall: 0.01, meanMs: 3 });
    expect(garbageTogether(arms, "client")).toEqual(noGarbage);
    expect(garbageTogether([], "server")).toEqual(noGarbage);
  });

  it("makes service times vary by more than exponential ones: of 1 ms on average, and 100 ms more for one in a hundred", () => {
    const mean = 2;
    const variance = 1 + 0.01 * 0.99 * 100 ** 2;
    expect(serviceWith({ perCall: 0.01, meanMs: 100 }, mean)).toEqual({
      scv: expect.closeTo(variance / mean ** 2, 9) as unknown,
    });
    expect(serviceWith(noGarbage, mean)).toBe("exponential");
  });
});
