// What the first screen advises on a setting that was measured over several bandwidths, from runs whose times are known.
import { analyse } from "@roundtrip/analysis";
import type { Arm } from "@roundtrip/runs";
import { expect, test } from "vitest";
import { armFor, syntheticRun } from "../../analysis/test/synthetic-run.ts";
import { settingsAdvice } from "../src/words/settings-advice.ts";

const lines = [{}, { rttMs: 0, bandwidthMbps: 10 }, { rttMs: 0, bandwidthMbps: 100 }];

/** @param msOf the time of a call by its coding and bandwidth; an answer of 1 KB takes a hundredth. */
function adviceFor(places: typeof lines, msOf: (coding: string, bandwidthMbps: number | undefined) => number) {
  const arms = [1_024, 262_144].flatMap((payloadBytes) =>
    places.flatMap((place) =>
      ["identity", "gzip", "zstd"].map((responseCompression) => ({
        ...armFor({
          study: "compression",
          stack: "rest-fastify",
          title: "REST",
          variant: "single",
          factors: { payloadBytes, ...place },
        }),
        id: JSON.stringify([payloadBytes, place, responseCompression]),
        factors: { payloadBytes, ...place, responseCompression },
        settingDefaults: { responseCompression: "identity" },
      })),
    ),
  );
  const latencyMs = ({ factors }: Arm, round: number): number => {
    const { responseCompression, bandwidthMbps, payloadBytes } = factors;
    const ms = msOf(String(responseCompression), bandwidthMbps as number | undefined);
    return (payloadBytes === 1_024 ? 0.01 : 1) * ms * (1 + Math.sin(round + ms) / 1_000);
  };
  const { facts, samples } = syntheticRun(arms, { rounds: 6, blocksPerRound: 2, tasksPerBlock: 3 }, latencyMs);
  return settingsAdvice({ analysis: analyse(facts, samples) });
}

function compressedMs(coding: string, bandwidthMbps = 1_000): number {
  return (
    { identity: 2_000 / bandwidthMbps, gzip: 20 + 600 / bandwidthMbps, zstd: 5 + 650 / bandwidthMbps }[coding] ?? 0
  );
}

test("names the fastest level for each bandwidth, slowest line first, of the largest work", () => {
  expect(adviceFor(lines, compressedMs)).toEqual([
    expect.stringMatching(
      /^Another responseCompression than identity for one .*262 KB of values over .*: over 10 Mbit\/s zstd takes 0\.35 × \(.*\), over 100 Mbit\/s zstd takes 0\.5\d+ × \(.*\), without a limit each is slower\.$/,
    ),
  ]);
});

test("claims nothing of levels that do not differ, and has no advice for a single bandwidth", () => {
  expect(adviceFor(lines, () => 5)[0]).toContain("over 10 Mbit/s cannot tell of any that it is faster");
  expect(adviceFor(lines.slice(0, 1), () => 5)).toEqual([]);
});
