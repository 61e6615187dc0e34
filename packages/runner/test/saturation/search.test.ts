// The search for what something carries: bounded, near the truth, and not misled by one disturbance.
import type { CapacityProbe } from "@roundtrip/runs";
import { assert, asyncProperty, double } from "fast-check";
import { describe, expect, it } from "vitest";
import { searchCapacity } from "../../src/saturation/search.ts";

type Verdict = CapacityProbe["verdict"];

/** A server that keeps rates up to this one. */
function carrying(capacityHz: number, above: Verdict = "latency") {
  let probes = 0;
  const probe = async (rateHz: number): Promise<CapacityProbe> => {
    probes += 1;
    const verdict = rateHz <= capacityHz ? "kept" : above;
    return { rateHz, p99Ms: 1, clientUtilisation: 0.1, verdict };
  };
  return { probe, probes: () => probes };
}

describe("a search", () => {
  it("finds what is carried to within a tenth, never more than that, in a bounded number of probes", async () => {
    const capacities = double({ min: 125, max: 100_000, noNaN: true });
    await assert(
      asyncProperty(capacities, async (capacityHz) => {
        const { probe, probes } = carrying(capacityHz);
        const { foundHz, limitedBy } = await searchCapacity(500, probe);
        expect(foundHz).toBeLessThanOrEqual(capacityHz);
        expect(foundHz).toBeGreaterThan(capacityHz / 1.1);
        expect(limitedBy).toBe("latency");
        expect(probes()).toBeLessThanOrEqual(9 + 2 * (1 + 2 + 3));
      }),
    );
  });

  it("says that the generator was the limit where it was", async () => {
    expect(await searchCapacity(500, carrying(3_000, "generator").probe)).toMatchObject({ limitedBy: "generator" });
  });

  it("ends at the lowest rate that it tries where nothing is kept", async () => {
    const { foundHz, limitedBy } = await searchCapacity(500, carrying(0).probe);
    expect([foundHz, limitedBy]).toEqual([500 / 2 ** 2, "latency"]);
  });

  it("asks again before it believes that a rate is too much", async () => {
    const { probe } = carrying(3_000);
    let isDisturbed = true;
    const disturbed = async (rateHz: number): Promise<CapacityProbe> => {
      const seen = await probe(rateHz);
      if (rateHz !== 1_000 || !isDisturbed) return seen;
      isDisturbed = false;
      return { ...seen, verdict: "latency" };
    };
    const { foundHz, probes } = await searchCapacity(500, disturbed);
    expect(foundHz).toBeGreaterThan(2_700);
    expect(probes.filter(({ rateHz }) => rateHz === 1_000).map(({ verdict }) => verdict)).toEqual(["latency", "kept"]);
  });
});
