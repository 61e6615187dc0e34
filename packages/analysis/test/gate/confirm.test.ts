// What a FAIL needs before it blocks.
import { describe, expect, it } from "vitest";
import { confirm, confirmationLooks, confirmationRounds } from "../../src/gate/confirm.ts";
import { gateDefaults } from "../../src/gate/gate-settings.ts";
import { madeRounds, roundsOf } from "./made-rounds.ts";

function roundsFor(...deviations: readonly number[]): number {
  return confirmationRounds({ cells: deviations.map((deviation) => ({ state: "worse", deviation })) }, gateDefaults);
}

describe("a confirmation", () => {
  it("confirms the cells that are slower again, and names them", () => {
    const { isConfirmed, rounds, cells } = confirm(
      madeRounds({ seed: 2, rounds: 10, effects: [0.06, 0], deviation: 0.015 }),
      gateDefaults,
    );
    expect({ isConfirmed, rounds }).toEqual({ isConfirmed: true, rounds: 10 });
    expect(cells.map((cell) => cell.isConfirmed)).toEqual([true, false]);
  });

  it("does not confirm what fresh processes do not show", () => {
    const rounds = madeRounds({ seed: 2, rounds: 20, effects: [0], deviation: 0.015 });
    expect(confirm(rounds, gateDefaults).isConfirmed).toBe(false);
  });

  it("may end early, at looks that are fixed before", () => {
    expect(confirmationLooks(8)).toEqual([8]);
    expect(confirmationLooks(15)).toEqual([8, 12, 15]);
    expect(confirmationLooks(24)).toEqual([8, 12, 16, 20, 24]);
    const loud = madeRounds({ seed: 2, rounds: 24, effects: [0.1], deviation: 0.015 });
    const first = { ...loud, values: loud.values.slice(0, 8) };
    expect(confirm(first, gateDefaults, 24)).toMatchObject({ isConfirmed: true, rounds: 8 });
    expect(confirm({ ...loud, values: loud.values.slice(0, 7) }, gateDefaults, 24).isConfirmed).toBe(false);
  });

  it("does not confirm without rounds, or with too few", () => {
    expect(confirm({ ...roundsOf([[0.5]]), values: [] }, gateDefaults).isConfirmed).toBe(false);
    expect(confirm(roundsOf([[0.5], [0.5], [0.5], [0.5]]), gateDefaults).isConfirmed).toBe(false);
    expect(confirm(roundsOf([[0.5], [0.5], [0.5], [0.5], [0.5]]), gateDefaults).isConfirmed).toBe(true);
    const lost = Array.from({ length: 10 }, () => [Number.NaN]);
    expect(confirm(roundsOf(lost), gateDefaults).cells[0]).toMatchObject({
      isConfirmed: false,
      rounds: 0,
      ratio: Number.NaN,
    });
  });

  it("refuses rounds without cells, of other lengths, and settings that make no test", () => {
    expect(() => confirm({ cells: [], values: [] }, gateDefaults)).toThrow("there is nothing to judge: no cells");
    expect(() => confirm({ ...roundsOf([[0, 0]]), values: [[0]] }, gateDefaults)).toThrow("round 0 has 1 values");
    expect(() => confirm(roundsOf([[0.5]]), { ...gateDefaults, alpha: 0 })).toThrow("alpha is 0");
  });

  it("takes as many rounds as the noise asks for, within limits", () => {
    expect(roundsFor(0)).toBe(8);
    expect(roundsFor(0.02)).toBe(15);
    expect(roundsFor(0.02, 0.025)).toBe(21);
    expect(roundsFor(0.3)).toBe(24);
    expect(roundsFor(Number.NaN)).toBe(8);
  });
});
