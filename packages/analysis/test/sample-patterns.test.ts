// What a report of another tool's samples looks for before it calls a difference clear.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { analyse, analyseDefaults } from "../src/analyse/analyse.ts";
import { againstFirst } from "../src/comparison/pairs-of.ts";
import { fromLongForm, type LongFormRow } from "../src/from-long-form.ts";
import { randomFrom } from "../src/statistics/random.ts";

const patternCodes = new Set(["sample-first-calls", "sample-drift", "sample-modes"]);

interface Shape {
  readonly rounds?: number;
  readonly calls?: number;
  /** How many times as long a call takes as usual. */
  readonly factor?: (call: number, round: number, random: () => number) => number;
  readonly noise?: number;
}

function rowsOf(arm: string, usualMs: number, shape: Shape, seed = 1): readonly LongFormRow[] {
  const { rounds = 6, calls = 60, factor = () => 1, noise = 0.05 } = shape;
  const random = randomFrom(seed, arm);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: rounds }, (_, round) =>
    Array.from({ length: calls }, (__, call) => ({
      arm,
      round,
      latencyMs: usualMs * factor(call / calls, round, random) * Math.exp(noise * normal()),
    })),
  ).flat();
}

function analysed(rows: readonly LongFormRow[]) {
  const { facts, samples } = fromLongForm(rows);
  return analyse(facts, samples, { ...analyseDefaults, pairs: againstFirst });
}

function patternsIn(rows: readonly LongFormRow[]): readonly string[] {
  const { warnings } = analysed(rows);
  return warnings
    .filter(({ code }) => patternCodes.has(code))
    .map(({ armId, message }) => `${armId}: ${message.replace(/:.*/, "")}`);
}

const first = 1 / 60;

/** How certain the claims about two arms are, of which the first has a pattern. */
function strengths(factor: NonNullable<Shape["factor"]>): ReadonlySet<string> {
  const { claims } = analysed([...rowsOf("a", 1, { factor }), ...rowsOf("b", 2, {})]);
  return new Set(claims.map(({ strength }) => strength));
}

describe("samples of another tool", () => {
  it.each<readonly [string, Shape, RegExp | null]>([
    ["no pattern", {}, null],
    ["no pattern in noisy calls", { noise: 0.5 }, null],
    ["no pattern in one round", { rounds: 1, calls: 400 }, null],
    ["rare slow calls anywhere", { factor: (_, __, random) => (random() < 0.02 ? 20 : 1) }, null],
    ["a slow first call", { factor: (at) => (at < first ? 40 : 1) }, /^a: the first call of each round is far slower/],
    ["a fast first call", { factor: (at) => (at < first ? 0.1 : 1) }, /^a: the first call of each round is far faster/],
    ["three slow first calls", { factor: (at) => (at < 3 * first ? 3 : 1) }, /^a: the first 3 calls of each round are/],
    [
      "a slow first call in some rounds",
      { factor: (at, round) => (at < first && round % 2 === 0 ? 40 : 1) },
      /^a: the first call of 3 of 6 rounds is far slower/,
    ],
    ["a slow first call in three rounds", { rounds: 3, factor: (at) => (at < first ? 40 : 1) }, /of each round is far/],
    ["calls that get slower", { factor: (at) => 1 + at }, /^a: calls get \d+ % slower/],
    ["calls that get faster", { factor: (at) => 1.5 - 0.5 * at }, /^a: calls get \d+ % faster/],
    [
      "calls that get slower in one round",
      { rounds: 1, calls: 400, factor: (at) => 1 + at },
      /^a: calls get \d+ % slower/,
    ],
    [
      "two modes",
      { factor: (_, __, random) => (random() < 0.3 ? 4 : 1) },
      /^a: latencies have two modes, 1.* ms and [34].* ms \(\d+ % of the calls\)/,
    ],
    ["two modes by round", { factor: (_, round) => (round % 2 === 0 ? 1 : 2) }, /^a: latencies have two modes/],
  ])("have %s", (_, shape, expected) => {
    const ofArm = patternsIn([...rowsOf("a", 1, shape), ...rowsOf("b", 2, { ...shape, factor: () => 1 }, 2)]);
    expect(ofArm.map((text) => expected?.test(text) ?? text)).toEqual(expected === null ? [] : [true]);
  });

  it("have no pattern in 99 of 100 cases of mere chance", () => {
    const seeds = Array.from({ length: 100 }, (_, seed) => seed);
    const found = seeds.filter((seed) => patternsIn(rowsOf("a", 1, { noise: 0.2 }, seed)).length > 0);
    expect(found.length).toBeLessThanOrEqual(3);
  });

  it("have latencies that a coarse clock rounds, which are no modes", () => {
    const rows = rowsOf("a", 2, { noise: 0.3 }).map((row) => ({ ...row, latencyMs: Math.round(row.latencyMs) }));
    expect(patternsIn(rows)).toEqual([]);
  });

  it("support no clear claim about an arm with a pattern", () => {
    expect(strengths(() => 1)).toContain("clear");
    const slowFirst = strengths((at) => (at < first ? 4 : 1));
    expect(slowFirst).toContain("likely");
    expect(slowFirst).not.toContain("clear");
  });
});

it("two arms whose first call in each round connects are both named", () => {
  const text = readFileSync(join(import.meta.dirname, "fixtures/first-call-connects.csv"), "utf8");
  const rows = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line): LongFormRow => {
      const [arm = "", round, latencyMs] = line.split(",");
      return { arm, round: Number(round), latencyMs: Number(latencyMs) };
    });
  expect(patternsIn(rows)).toEqual(
    ["a", "b"].map((arm) => `${arm}: the first call of each round is far slower than the rest`),
  );
});
