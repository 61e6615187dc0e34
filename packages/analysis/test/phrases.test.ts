// What an arm does, as a sentence says it.
import { idsFromName } from "../src/run/stack-ids.ts";
import { expect, test } from "vitest";
import { strengthOfClaim, workText } from "../src/findings/phrases.ts";
import type { Arm } from "../src/run/run-facts.ts";

const arm: Arm = {
  id: "a",
  study: "network-bulk",
  task: "echo",
  ...idsFromName("rest-express"),
  title: "REST",
  stackTitle: "REST",
  role: "style",
  variant: "buffered",
  factors: {},
  callsPerTask: 1,
};

test("a network is described in words, and what is as usual goes without saying", () => {
  const near = { rttMs: 30, bandwidthMbps: 200, congestionControl: "reno", windowScaling: true, tls: false };
  expect(workText({ ...arm, factors: near })).toBe("one echo call at 30 ms round-trip time over 200 Mbit/s under reno");
  const far = { tls: true, receiveWindowBytes: 65_536, windowScaling: false, slowStartAfterIdle: false };
  expect(workText({ ...arm, factors: far })).toBe(
    "one echo call over TLS through a TCP window of 64 KiB without window scaling without slow start after idle",
  );
});

test("a setting without a phrase is called by its name", () => {
  expect(workText({ ...arm, factors: { loss: 0.01, colour: "red" } })).toBe("one echo call (loss: 0.01) (colour: red)");
});

test("a claim from several ratios is only likely where one of them assumes normal noise", () => {
  const [long, short] = [{ basis: "max-t" }, { basis: "student-t" }] as const;
  expect(strengthOfClaim(long, long)).toBe("clear");
  expect(strengthOfClaim(long, short)).toBe("likely");
  expect(strengthOfClaim(short, long)).toBe("likely");
});
