// What the network saw of one call, from the counts of a run.
import { describe, expect, it } from "vitest";
import { exchangeOfArm } from "../src/distance/round-trips.ts";
import type { Arm, Block, RunFacts } from "@roundtrip/runs";
import { armFor, factsOf, loadedBlock, unlimitedExchange } from "./synthetic-run.ts";

const arm = armFor({ stack: "rest", variant: "single" });

/** Blocks of ten calls, with this many connections opened in each. */
function blocksOf(...opened: readonly number[]): readonly Block[] {
  return opened.map((connectionsOpened, round) => ({
    ...loadedBlock({ armId: arm.id, block: 0, tasks: 10, serverCpuMs: 1 }),
    round,
    connectionsOpened,
  }));
}

/** Four calls with 400 request bytes and 1,000 response bytes. */
function exchangeOf(own: Arm, blocks: readonly Block[], environment: Partial<RunFacts["environment"]> = {}) {
  const facts = factsOf([own], blocks.length, blocks);
  const traffic = [{ calls: 4, requestBytes: 400, responseBytes: 1_000 }];
  return exchangeOfArm({ ...facts, environment: { ...facts.environment, ...environment } }, traffic)(own);
}

function set(factors: Arm["factors"]) {
  return exchangeOf({ ...arm, factors }, blocksOf(10));
}

describe("one call", () => {
  it("has the mean of the bytes of all calls, and no limits that nobody set", () => {
    expect(exchangeOf(arm, blocksOf(0, 0))).toEqual({ ...unlimitedExchange, requestBytes: 100, responseBytes: 250 });
  });

  it("opens a connection where more than half of all calls did", () => {
    expect(exchangeOf(arm, blocksOf(10, 0))?.opensConnection).toBe(false);
    expect(exchangeOf(arm, blocksOf(10, 1))?.opensConnection).toBe(true);
    expect(exchangeOf(arm, blocksOf(1, 10))?.opensConnection).toBe(true);
  });

  it("has the limits of its arm before those of its stack", () => {
    const settings = { rest: { flowControlWindowBytes: 65_535, receiveWindowBytes: 1 }, grpc: { bandwidthMbps: 1 } };
    const limited = { ...arm, factors: { receiveWindowBytes: 4_096, bandwidthMbps: 100 } };
    expect(exchangeOf(limited, blocksOf(0), { settings })).toMatchObject({
      windowBytes: 4_096,
      flowControlWindowBytes: 65_535,
      bandwidthMbps: 100,
    });
  });

  it("is over TLS where its arm or its run is", () => {
    expect(exchangeOf({ ...arm, factors: { tls: true } }, blocksOf(0))?.tls).toBe(true);
    expect(exchangeOf(arm, blocksOf(0), { tls: true })?.tls).toBe(true);
    expect(exchangeOf({ ...arm, factors: { tls: false } }, blocksOf(0))?.tls).toBe(false);
  });

  it("waits before its body, and for the second flight of an older handshake, where its arm is set so", () => {
    const older = { tls: true, tlsVersion: "1.2" };
    expect(set({ expectContinue: true })).toMatchObject({ asksFirst: true, connectRoundTrips: 0 });
    expect(set({ ...older, tlsResumption: false })).toMatchObject({ asksFirst: false, connectRoundTrips: 1 });
    expect(set({ ...older, tlsResumption: true })?.connectRoundTrips).toBe(0);
    expect(set({ tls: false, tlsVersion: "1.2", tlsResumption: false })?.connectRoundTrips).toBe(0);
  });

  it("is absent for an arm without calls", () => {
    const facts = factsOf([arm], 1, blocksOf(0));
    expect(exchangeOfArm(facts, [{ calls: 0, requestBytes: 0, responseBytes: 0 }])(arm)).toBeNull();
    expect(exchangeOfArm(facts, [])(arm)).toBeNull();
  });
});
