// Settings of stacks as factors: like is compared with like, and the report states what a level changes.
import { describe, expect, test } from "vitest";
import { analyse, type Analysis } from "../src/analyse/analyse.ts";
import { pairsOf } from "../src/comparison/pairs-of.ts";
import { sweepOf } from "../src/comparison/leading-cell.ts";
import type { Claim } from "../src/claims/claim.ts";
import type { Arm, RunFacts, Scalar } from "@roundtrip/runs";
import { armFor, syntheticRun } from "./synthetic-run.ts";

const defaults: Readonly<Record<string, Scalar>> = { requestCompression: "identity", keepAlive: true };

function set(stack: string, settings: Readonly<Record<string, Scalar>> = {}, variant = "single"): Arm {
  const names = Object.keys(settings);
  const note = names.length === 0 ? "" : ` (${names.map((name) => `${name}=${settings[name]}`).join(", ")})`;
  return armFor({
    study: "hello",
    task: "hello",
    stack,
    variant,
    title: `${stack}${note}`,
    factors: settings,
    ...(note === "" ? {} : { settingDefaults: Object.fromEntries(names.map((name) => [name, defaults[name] ?? ""])) }),
  });
}

const identity = set("grpc-js", { requestCompression: "identity" });
const gzip = set("grpc-js", { requestCompression: "gzip" });
const deflate = set("grpc-js", { requestCompression: "deflate" });
const rest = set("rest-express");
const floor = set("floor");

function pairs(...arms: readonly Arm[]): readonly string[] {
  return pairsOf(arms).map(({ kind, numerator, denominator }) => `${kind}: ${numerator.title} / ${denominator.title}`);
}

/** A few per mille that differ from arm to arm and round to round, always the same. */
function wobble(arm: Arm, round: number): number {
  return 1 + 0.004 * Math.sin(arm.id.length * 7 + round * 3);
}

function analysed(arms: readonly Arm[], latencyMs: (arm: Arm) => number, more: Partial<RunFacts> = {}): Analysis {
  const shape = { rounds: 6, blocksPerRound: 2, tasksPerBlock: 5 };
  const { facts, samples } = syntheticRun(arms, shape, (arm, round) => latencyMs(arm) * wobble(arm, round));
  return analyse({ ...facts, ...more }, samples);
}

describe("compared pairs", () => {
  test("levels of one setting, with its default below the line wherever it stands in the run", () => {
    expect(pairs(gzip, identity, deflate)).toEqual([
      "setting: grpc-js (requestCompression=gzip) / grpc-js (requestCompression=identity)",
      "setting: grpc-js (requestCompression=deflate) / grpc-js (requestCompression=identity)",
      "setting: grpc-js (requestCompression=deflate) / grpc-js (requestCompression=gzip)",
    ]);
  });

  test("every level with the first floor where none is at its defaults", () => {
    const [one, other] = [set("floor", { keepAlive: false }), set("floor", { requestCompression: "gzip" })];
    expect(pairs(rest, one, other).filter((pair) => pair.startsWith("floor"))).toEqual([
      "floor: rest-express / floor (keepAlive=false)",
    ]);
  });

  test("stacks at their defaults, and every level with the floor", () => {
    expect(pairs(identity, gzip, rest, floor)).toEqual([
      "stack: grpc-js (requestCompression=identity) / rest-express",
      "setting: grpc-js (requestCompression=gzip) / grpc-js (requestCompression=identity)",
      "floor: grpc-js (requestCompression=identity) / floor",
      "floor: grpc-js (requestCompression=gzip) / floor",
      "floor: rest-express / floor",
    ]);
  });

  test("stacks on which the same is set", () => {
    const closing = { keepAlive: false };
    expect(pairs(set("rest-express", closing), set("graphql-apollo", closing), rest)).toEqual([
      "stack: rest-express (keepAlive=false) / graphql-apollo (keepAlive=false)",
    ]);
  });

  test("levels that differ in one setting, where two are varied", () => {
    const both = [true, false].flatMap((keepAlive) =>
      ["identity", "gzip"].map((requestCompression) => set("grpc-js", { keepAlive, requestCompression })),
    );
    expect(pairs(...both)).toHaveLength(4);
  });

  test("variants at the same level", () => {
    const arms = [identity, gzip].flatMap(({ factors }) => [
      set("grpc-js", factors, "facade"),
      set("grpc-js", factors, "chatty"),
    ]);
    const variants = pairsOf(arms).filter(({ kind }) => kind === "variant");
    expect(variants.map(({ numerator, denominator }) => [numerator.factors, denominator.factors])).toEqual([
      [identity.factors, identity.factors],
      [gzip.factors, gzip.factors],
    ]);
  });
});

test("a setting is no size of the work: it makes no curve that other stacks would be missing from", () => {
  const windows = [65_535, 1_000_000].map((window) => ({
    ...armFor({ stack: "grpc-js", variant: "single", factors: { window } }),
    settingDefaults: { window: 65_535 },
  }));
  expect(sweepOf(windows)).toBeNull();
});

const claimed = ({ claims }: Analysis, kind: Claim["kind"]) =>
  claims.flatMap((claim) => (claim.kind === kind && "ratio" in claim ? [claim] : []));

describe("claims", () => {
  test("hold a level against the default, and compare stacks at their defaults alone", () => {
    const analysis = analysed([gzip, identity, rest, floor], (arm) =>
      arm === floor ? 0.05 : arm === gzip ? 0.3 : arm === identity ? 0.2 : 0.25,
    );
    expect(claimed(analysis, "style")).toEqual([
      expect.objectContaining({ armIds: [rest.id, identity.id], strength: "clear", ratio: expect.closeTo(1.25, 1) }),
    ]);
    expect(claimed(analysis, "setting")).toEqual([
      expect.objectContaining({ armIds: [gzip.id, identity.id], strength: "clear", ratio: expect.closeTo(1.5, 1) }),
    ]);
    expect(analysis.warnings.map(({ code }) => code)).not.toContain("compared-apart");
  });

  test("say nothing of a stack that was not compared with others, and a warning says why", () => {
    const graphql = set("graphql-apollo");
    const analysis = analysed([gzip, rest, graphql], (arm) => (arm === gzip ? 0.2 : arm === rest ? 0.25 : 0.4));
    expect(claimed(analysis, "style").map(({ armIds }) => armIds)).toEqual([[graphql.id, rest.id]]);
    expect(analysis.comparisons.filter(({ kind }) => kind === "stack")).toHaveLength(1);
    expect(analysis.warnings.filter(({ code }) => code === "compared-apart")).toEqual([
      {
        code: "compared-apart",
        message:
          "grpc-js (requestCompression=gzip) is not compared with other stacks, as stacks are compared at their defaults: --set grpc-js.requestCompression=identity measures those too",
      },
    ]);
  });
});

test("the warm-up of one level does not count for another", () => {
  const warmUps = [identity, gzip].map(({ stack, factors }) => ({
    stack,
    settings: factors,
    round: 0,
    calls: 1,
    elapsedMs: 1,
    trend: factors === gzip.factors ? ("falling" as const) : ("over" as const),
  }));
  const { unsettled, drifts } = analysed([identity, gzip], () => 0.2, { warmUps });
  expect(unsettled.map(({ title, of }) => [title, of])).toEqual([["grpc-js (requestCompression=gzip)", 1]]);
  expect(new Set(drifts.map(({ title }) => title)).size).toBe(drifts.length);
});
