// The quick verdict, which evidence about the gate rests on, is the verdict of the gate.
import { array, assert, constantFrom, nat, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import { gateDefaults, judge, passedStacks, signGroup, type GateSettings } from "@roundtrip/analysis/gate";
import { madeRounds, roundsOf } from "../../packages/analysis/test/gate/made-rounds.ts";
import { quickVerdict } from "../self/gate/quick-verdict.ts";

/** Judges as a job does: after every look, until there is a verdict. Where cells have stacks, those that have passed get no more rounds. */
function verdictByLooks(
  values: readonly (readonly number[])[],
  settings: GateSettings,
  stacks: readonly string[] = [],
): unknown {
  const given = values.map((round) => [...round]);
  for (const look of settings.looks) {
    const { state, rounds, cells } = judge(roundsOf(given.slice(0, look)), settings);
    const worse = cells.flatMap((cell, index) => (cell.state === "worse" ? [index] : []));
    if (state !== "undecided") return { state, rounds, worse };
    const settled = passedStacks(
      cells.map((cell, index) => ({ state: cell.state, cell: { stack: stacks[index] ?? "" } })),
    );
    for (const round of given.slice(look)) {
      for (const [cell, stack] of stacks.entries()) if (settled.has(stack)) round[cell] = Number.NaN;
    }
  }
  return undefined;
}

const settings = { ...gateDefaults, flips: 1_024, alpha: 0.05, looks: [6, 8, 12, 16] };

describe("the quick verdict", () => {
  it.each([
    settings,
    // The first look has rounds that double the paths no more.
    { ...settings, flips: 256, looks: [10, 12, 16] },
  ])("is what the gate says when it looks after every look: $flips flips, $looks", (asked) => {
    const seen = new Set<string>();
    const effect = constantFrom(0, 0.02, 0.035, 0.05, 0.08);
    const job = record({
      seed: nat(),
      effects: array(effect, { minLength: 1, maxLength: 4 }),
      deviation: constantFrom(0.005, 0.02, 0.04, 0.08),
    });
    assert(
      property(job, constantFrom(0, 0.01, 0.04), nat(40), (made, grid, hole) => {
        const { values } = madeRounds({ ...made, rounds: 16 });
        // Ties: values on a coarse grid; and one that is missing.
        const given = values.map((round, at) =>
          round.map((value, cell) =>
            at * 4 + cell === hole ? Number.NaN : grid > 0 ? Math.round(value / grid) * grid : value,
          ),
        );
        const expected = verdictByLooks(given, asked) as { readonly state: string };
        seen.add(expected.state);
        expect(quickVerdict(given, asked, signGroup(asked.flips, 16, asked.seed))).toEqual(expected);
      }),
      { numRuns: 300, seed: 7 },
    );
    expect([...seen].toSorted()).toEqual(["fail", "inconclusive", "pass"]);
  });

  it("is the same where stacks that have passed are not measured any further", () => {
    const seen = new Set<string>();
    const stacks = ["one", "one", "other"];
    const job = record({
      seed: nat(),
      effects: array(constantFrom(0, 0.02, 0.04, 0.08), { minLength: 3, maxLength: 3 }),
      deviation: constantFrom(0.005, 0.02, 0.04),
    });
    assert(
      property(job, (made) => {
        const { values } = madeRounds({ ...made, rounds: 16 });
        const group = signGroup(settings.flips, 16, settings.seed);
        const expected = verdictByLooks(values, settings, stacks) as {
          readonly state: string;
          readonly rounds: number;
        };
        expect(quickVerdict(values, settings, group, stacks)).toEqual(expected);
        seen.add(`${expected.state} ${JSON.stringify(expected) === JSON.stringify(verdictByLooks(values, settings))}`);
      }),
      { numRuns: 200, seed: 7 },
    );
    // That nothing is left out would be seen: some verdicts are others.
    expect([...seen].some((one) => one.endsWith("false"))).toBe(true);
  });
});
