// What the choice of a library changes, from the comparisons of a run.
import { describe, expect, it } from "vitest";
import { claimsOf } from "../../src/claims/claims-of.ts";
import { comparePairs } from "../../src/comparison/compare-run.ts";
import { libraryPairs } from "../../src/comparison/library-pairs.ts";
import { pairsOf } from "../../src/comparison/pairs-of.ts";
import type { Arm } from "@roundtrip/runs";
import { armFor } from "../synthetic-run.ts";

/** An arm whose stack has these libraries, and its latency in milliseconds. */
const latencies = new Map<string, number>();

function arm(style: string, server: string, client: string, latencyMs: number, bounds?: Arm["bounds"]): Arm {
  const stack = `${style}-${server}-${client}`;
  latencies.set(stack, latencyMs);
  return {
    ...armFor({ stack, variant: "single" }),
    id: stack,
    style,
    server,
    client,
    stack,
    ...(bounds && { bounds }),
  };
}

const arms = [
  arm("rest", "express", "undici", 2),
  arm("rest", "fastify", "undici", 1),
  arm("rest", "node-http", "undici", 0.5, ["server"]),
  arm("rest", "express", "axios", 6),
  arm("grpc", "grpc-js", "grpc-js", 3),
  arm("grpc", "node-http2", "grpc-js", 1, ["server"]),
];

function comparisonsOf(measured: readonly Arm[]) {
  const turns = new Map(
    measured.map(({ id }, index) => [
      id,
      Array.from(
        { length: 6 },
        (_, round) => new Map([[0, (latencies.get(id) ?? 0) * (1 + 0.001 * ((round + index) % 3))]]),
      ),
    ]),
  );
  return comparePairs(pairsOf(measured), turns, 1).comparisons;
}

function rowsOf(measured: readonly Arm[]): readonly string[] {
  const [{ study, task }] = measured as readonly [Arm];
  return libraryPairs({ arms: measured, comparisons: comparisonsOf(measured) }, study, task).map(
    ({ choice, numerator, denominator, ratio, isOfBound }) =>
      `${choice} ${numerator} / ${denominator} ${ratio.toFixed(1)}${isOfBound ? " bound" : ""}`,
  );
}

describe("the pairs of libraries of a task", () => {
  it("differ in one end, the slower first, whatever the order of the run; styles are compared at their bounds, once", () => {
    const expected = [
      "client axios / undici 3.0",
      "server express / fastify 2.0",
      "server express / node-http 4.0 bound",
      "server grpc-js / node-http2 3.0 bound",
      "style grpc / rest 2.0",
    ];
    expect(rowsOf(arms).toSorted()).toEqual(expected);
    const [rest, grpc] = [arms.slice(0, 4), arms.slice(4)];
    expect(rowsOf([...grpc, ...rest]).toSorted()).toEqual(expected);
  });

  it("are none where bounds are all that was measured: these are compared as stacks", () => {
    expect(rowsOf(arms.filter(({ bounds }) => bounds !== undefined))).toEqual([]);
  });

  it("make one claim for each choice: its largest difference, without bounds of libraries", () => {
    const none = {
      summaries: [],
      distributions: [],
      garbage: [],
      loadSeries: [],
      roundTrips: [],
      memory: [],
      breakEvens: [],
    };
    const found = {
      ...none,
      crossovers: [],
      anomalies: [],
      disturbed: [],
      carriedLoads: [],
      roundTripsOfTasks: new Map(),
    };
    const claims = claimsOf({ ...found, arms, comparisons: comparisonsOf(arms) });
    const ofLibraries = claims.flatMap((claim) =>
      claim.kind === "library" ? [`${claim.choice} ${claim.numerator} / ${claim.denominator} ${claim.strength}`] : [],
    );
    expect(ofLibraries).toEqual([
      "server express / fastify clear",
      "client axios / undici clear",
      "style grpc / rest clear",
    ]);
  });
});
