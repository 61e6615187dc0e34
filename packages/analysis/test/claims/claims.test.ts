// Claims are what the intervals carry, as data, and never more.
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/analyse/analyse.ts";
import type { Claim } from "../../src/claims/claim.ts";
import type { Arm, RunFacts } from "@roundtrip/runs";
import { armFor, loadedBlock, syntheticRun } from "../synthetic-run.ts";

/** A few per cent that differ from arm to arm and round to round, always the same. */
function wobble(arm: Arm, round: number): number {
  const letters = Array.from(arm.id, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0);
  return 1 + 0.03 * Math.sin(letters * 7 + round * round * 3);
}

function claimsOf(
  arms: readonly Arm[],
  latencyMs: (arm: Arm) => number,
  rounds = 6,
  facts: Partial<RunFacts> = {},
): readonly Claim[] {
  const run = syntheticRun(
    arms,
    { rounds, blocksPerRound: 2, tasksPerBlock: 5 },
    (arm, round) => latencyMs(arm) * wobble(arm, round),
  );
  return analyse({ ...run.facts, ...facts }, run.samples).claims;
}

function ofKind<Kind extends Claim["kind"]>(claims: readonly Claim[], kind: Kind) {
  return claims.filter((claim): claim is Claim & { readonly kind: Kind } => claim.kind === kind);
}

function helloArms(...stacks: readonly string[]): readonly Arm[] {
  return stacks.map((stack) => armFor({ study: "hello", task: "hello", stack, variant: "single" }));
}

describe("styles", () => {
  test.each([
    [
      "clear, of the slower against the fastest",
      { grpc: 0.2, rest: 0.25, graphql: 0.4 },
      6,
      ["rest clear", "graphql clear"],
    ],
    ["open where the interval includes 1", { grpc: 0.2, graphql: 0.2005 }, 6, ["graphql open"]],
    ["likely from four rounds, whose noise may not be normal", { grpc: 0.2, rest: 0.25 }, 4, ["rest likely"]],
    ["never equal from five rounds, which may agree by chance", { grpc: 0.2, rest: 0.2 }, 5, ["grpc open"]],
    ["open from two rounds", { grpc: 0.2, rest: 0.4 }, 2, ["rest open"]],
    ["nothing with a single style", { grpc: 0.2 }, 6, []],
  ])("are %s", (_, base: Readonly<Record<string, number>>, rounds, expected) => {
    const arms = helloArms(...Object.keys(base));
    const claims = ofKind(
      claimsOf(arms, ({ stack }) => base[stack] ?? 0, rounds),
      "style",
    );
    const stackOf = new Map(arms.map(({ id, stack }) => [id, stack]));
    expect(claims.map(({ armIds, strength }) => `${stackOf.get(armIds[0] ?? "")} ${strength}`)).toEqual(expected);
    const outside = claims.filter(({ ratio, low, high }) => ratio < (low ?? 0) || ratio > (high ?? Infinity));
    expect(outside).toEqual([]);
  });

  test("are equal within 2 % from six rounds of no noise", () => {
    const run = syntheticRun(helloArms("grpc", "rest"), { rounds: 8, blocksPerRound: 2, tasksPerBlock: 5 }, () => 1);
    expect(ofKind(analyse(run.facts, run.samples).claims, "style")).toMatchObject([{ strength: "equal", ratio: 1 }]);
  });
});

describe("the façade", () => {
  const arms = ["grpc", "rest"].flatMap((stack) =>
    [1, 3, 6].flatMap((attributes) =>
      ["facade", "chatty", "chatty-parallel"].map((variant) =>
        armFor({ stack, variant, factors: { attributes }, callsPerTask: variant === "facade" ? 1 : attributes }),
      ),
    ),
  );
  const claims = claimsOf(arms, (arm) => {
    const calls = arm.variant === "chatty" ? arm.callsPerTask : 1 + (arm.callsPerTask - 1) / 2;
    return 0.2 * calls + 0.01 * Number(arm.factors["attributes"]);
  });

  test("is compared with every other variant at its most attributes, over each stack", () => {
    const variants = ofKind(claims, "variant");
    expect(variants.map(({ armIds, strength }) => [armIds[0], strength])).toEqual(
      ["chatty", "chatty-parallel"].flatMap((variant) =>
        ["grpc", "rest"].map((stack) => [`facade/read/${stack}/${variant}/attributes=6`, "clear"]),
      ),
    );
    expect(variants[0]?.ratio).toBeCloseTo(1.26 / 0.26, 0);
  });

  test("is faster from a count above the whole interval of the crossing", () => {
    for (const claim of ofKind(claims, "break-even")) {
      expect(claim.strength).toBe("clear");
      expect(claim.from).toBeGreaterThan(claim.line?.high ?? Infinity);
      expect((claim.from ?? 0) - 1).toBeLessThanOrEqual(claim.line?.high ?? 0);
    }
    expect(ofKind(claims, "break-even").map(({ from }) => from)).toEqual([2, 2]);
  });
});

const cost = ({ stack }: Arm): number => (stack === "grpc" ? 0.3 : 0.2);

describe("a distance that was not measured", () => {
  const arms = helloArms("grpc", "rest");

  test("adds its round trips to what was measured, and ends the difference where all are within 5 %", () => {
    const [claim] = ofKind(claimsOf(arms, cost), "distance");
    expect(claim?.armIds).toEqual(arms.toReversed().map(({ id }) => id));
    expect(claim?.tasks.map(({ roundTrips }) => roundTrips)).toEqual([1, 1]);
    const [style] = ofKind(claimsOf(arms, cost), "style");
    const fastest = claim?.tasks[0]?.ms ?? 0;
    const rttMs = claim?.sameFromMs ?? 0;
    expect((fastest * (style?.high ?? 0) + rttMs) / (fastest + rttMs)).toBeCloseTo(1.05, 6);
  });

  test("is no claim where it was measured, or where calls open connections of their own", () => {
    const far = [1, 50].flatMap((rttMs) =>
      ["grpc", "rest"].map((stack) => armFor({ study: "hello", stack, variant: "single", factors: { rttMs } })),
    );
    expect(ofKind(claimsOf(far, cost), "distance")).toEqual([]);
    const another = far.map((arm) => ({ ...arm, id: `${arm.id} read`, task: "read" }));
    expect(ofKind(claimsOf([...arms, ...another], cost), "distance")).toEqual([]);
    const blocks = arms.map(({ id: armId }, block) =>
      loadedBlock({ armId, block, tasks: 10, serverCpuMs: 1, connectionsOpened: 10 }),
    );
    expect(ofKind(claimsOf(arms, cost, 6, { blocks }), "distance")).toEqual([]);
  });

  test("names no end of the difference where an interval spans more than a factor of four", () => {
    const noisy = syntheticRun(arms, { rounds: 6, blocksPerRound: 1, tasksPerBlock: 5 }, (arm, round) =>
      arm.stack === "grpc" ? 0.2 * 10 ** (round % 3) : 0.2,
    );
    expect(ofKind(analyse(noisy.facts, noisy.samples).claims, "distance")).toMatchObject([{ sameFromMs: null }]);
  });
});
