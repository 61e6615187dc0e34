// What readers are told of how a run was recorded: by its targets, its networks and its events.
import type { Arm, RunEvent, RunFacts } from "@roundtrip/runs";
import { expect, it } from "vitest";
import { recordWarnings } from "../src/warnings/record-warnings.ts";
import { armFor, factsOf } from "./synthetic-run.ts";

const own = armFor({ stack: "rest-express", variant: "facade" });
const elsewhere = armFor({ stack: "grpc-js", variant: "facade", target: "http://host:1" });
const floor = armFor({ stack: "floor", variant: "facade", target: "http://host:2" });

const codesOf = (...arms: readonly Arm[]) => recordWarnings(factsOf(arms, 1)).map(({ code }) => code);

it("targets were not restarted, and a floor beside them may be missing", () => {
  expect(codesOf(own)).toEqual([]);
  expect(codesOf(elsewhere)).toEqual(["not-restarted", "no-floor"]);
  expect(codesOf(elsewhere, elsewhere, floor)).toEqual(["not-restarted", "not-restarted"]);
  const [first] = recordWarnings(factsOf([elsewhere], 1));
  expect(first?.message).toMatch(/^grpc-js at http:\/\/host:1: server not restarted/);
});

it("machine and network differ too, where only some servers ran elsewhere", () => {
  expect(codesOf(own, elsewhere, floor)).toEqual(["not-restarted", "not-restarted", "mixed-places"]);
});

it("what networks do not emulate is reported once", () => {
  const facts = factsOf([own], 1);
  const relay = { kind: "relay", rttMs: 1, mtuBytes: 0, asked: {}, limits: ["tcp-sees-no-distance"] } as const;
  const environment: RunFacts["environment"] = { ...facts.environment, links: [relay, relay] };
  expect(recordWarnings({ ...facts, environment })).toEqual([
    { code: "link-caveat", message: expect.stringMatching(/^the distance is that of a relay.* slow start, windows/) },
  ]);
});

const killed = { how: "killed", signal: "SIGKILL" } as const;
const work = ["read", "write"].map((task) => ({ study: "facade", task, title: "REST" }));
const lost = { armId: "a", calls: 4_000, missing: 1, doubled: 0 };

it.each<readonly [string, RunEvent]>([
  [
    "2 arms (facade read, facade write over REST) left out: writes to a server that is not the run's own (--disposable measures it)",
    { kind: "left-out", arms: 2, work, reason: { code: "writes-to-target" } },
  ],
  [
    '9 arms (4 tasks over REST) left out: this kernel has no congestion control "bbr" (it has reno, cubic)',
    {
      kind: "left-out",
      arms: 9,
      work: ["a", "b", "c", "d"].map((task) => ({ study: "idle", task, title: "REST" })),
      reason: { code: "no-congestion-control", name: "bbr", known: ["reno", "cubic"] },
    },
  ],
  [
    "1 arm (facade read, facade write over REST) left out: k6 does not have the settings of Roundtrip's own client (window)",
    {
      kind: "left-out",
      arms: 1,
      work,
      reason: { code: "unsupported-by-generator", generator: "k6", what: "client-settings", name: "window" },
    },
  ],
  [
    "the rest-express server process ended by itself (SIGKILL) in round 2: what it did not answer counts as failed; 2 blocks of that round were left out",
    {
      kind: "process-ended",
      round: 1,
      role: "server",
      end: { name: "rest-express server", ...killed },
      blocksLeftOut: 2,
    },
  ],
  [
    "the rest-express client process ended by itself (SIGKILL) in round 1: what it had noted of its block is lost; one block of that round was left out",
    {
      kind: "process-ended",
      round: 0,
      role: "client",
      end: { name: "rest-express client", ...killed },
      blocksLeftOut: 1,
    },
  ],
  [
    "round 3 was lost: the head REST server process ended by itself (exit status 2): no database at db:5432",
    {
      kind: "round-lost",
      round: 2,
      end: { name: "head REST server", how: "exited", status: 2, text: "no database at db:5432" },
    },
  ],
  [
    "the k6 instance 1 of 2 process ended by itself (SIGKILL) in round 1: the later calls of its segment are lost",
    { kind: "generator-ended", round: 0, end: { name: "k6 instance 1 of 2", ...killed } },
  ],
  [
    "round 1 is void and left out: segment 1/2:1 began 90 ms after 0:1/2",
    { kind: "instances-apart", round: 0, skewMs: 90.3, first: "0:1/2", last: "1/2:1" },
  ],
  [
    "round 1: 3 blocks are void and left out, because calls were lost or doubled: a, 1 of 4,000 calls are missing, b, 2 of 4,000 calls were made twice and 1 more",
    {
      kind: "void-calls",
      round: 0,
      blocks: [lost, { ...lost, armId: "b", missing: 0, doubled: 2 }, { ...lost, armId: "c" }],
    },
  ],
  [
    "results.json:3: the last line is cut off, because its instance was ended while it wrote; all lines before it are used",
    { kind: "results-cut", file: "results.json", line: 3 },
  ],
])("%s", (message, event) => {
  expect(recordWarnings({ ...factsOf([own], 1), events: [event] }).map((warning) => warning.message)).toEqual([
    message,
  ]);
});
