import * as fc from "fast-check";
import { expect, it } from "vitest";
import { gatherCalls, joinCalls } from "../src/metrics/gathered-calls.ts";
import type { Samples } from "@roundtrip/runs";
import { armFor, factsOf, samplesOf, type Call } from "./synthetic-run.ts";

const arms = [
  armFor({ stack: "grpc-js", variant: "single", load: { loop: "open", pacer: "poisson" } }),
  armFor({ stack: "rest-express", variant: "chatty", callsPerTask: 2 }),
  armFor({ stack: "graphql-apollo", variant: "single", load: { loop: "closed", pacer: "closed" } }),
  armFor({
    stack: "grpc-js",
    variant: "mix",
    mix: ["shop.Get", "shop.List"],
    load: { loop: "open", pacer: "poisson" },
  }),
];

const calls = fc.array(
  fc.record({
    arm: fc.nat(arms.length - 1),
    round: fc.nat(4),
    block: fc.nat(3),
    task: fc.nat(5),
    step: fc.nat(1),
    startMs: fc.double({ min: 0, max: 1_000, noNaN: true }),
    tookMs: fc.double({ min: 0, max: 10, noNaN: true }),
    outcome: fc.constantFrom("OK", "OK", "OK", "UNAVAILABLE", "NOT_SENT"),
    isLate: fc.boolean(),
    isStream: fc.boolean(),
    isReported: fc.boolean(),
  }),
  { minLength: 1, maxLength: 80 },
);

type DrawnCall = Omit<Call, "endMs"> &
  Record<"isLate" | "isStream" | "isReported", boolean> & { readonly tookMs: number };

function samplesFrom(drawn: readonly DrawnCall[]): Samples {
  const samples = samplesOf(drawn.map((call) => ({ ...call, endMs: call.startMs + call.tookMs })));
  const columnOf = (has: (call: DrawnCall) => boolean, value: (call: DrawnCall) => number): Float64Array =>
    Float64Array.from(drawn, (call) => (has(call) ? value(call) : Number.NaN));
  return {
    ...samples,
    startedAtNs: Float64Array.from(drawn, ({ startMs, tookMs, isLate }) => (startMs + (isLate ? tookMs / 2 : 0)) * 1e6),
    firstByteAtNs: columnOf(
      ({ isStream }) => isStream,
      ({ startMs, tookMs }) => (startMs + tookMs / 2) * 1e6,
    ),
    pauses: columnOf(
      ({ isStream }) => isStream,
      ({ task }) => task,
    ),
    queueNs: columnOf(
      ({ isReported }) => isReported,
      ({ tookMs }) => tookMs * 1e5,
    ),
    serviceNs: columnOf(
      ({ isReported }) => isReported,
      ({ tookMs }) => tookMs * 2e5,
    ),
  };
}

it("keeps the same of a run that is read in parts of whole rounds as of the run in one piece", () => {
  fc.assert(
    fc.property(calls, fc.uniqueArray(fc.nat(4)), (drawn, ends) => {
      const facts = factsOf(arms, 5);
      // As runs are written: one round after the other, whatever the order of blocks and tasks in it.
      const ordered = drawn.toSorted((one, other) => one.round - other.round);
      const partOf = (round: number): number => ends.filter((end) => end < round).length;
      const parts = [...Map.groupBy(ordered, ({ round }) => partOf(round)).values()];
      const whole = gatherCalls(facts, samplesFrom(ordered));
      expect(joinCalls(parts.map((part) => gatherCalls(facts, samplesFrom(part))))).toEqual(whole);
    }),
  );
});
