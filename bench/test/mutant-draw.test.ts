// Which places of the code are tried.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { draw, mutantsOf, type Mutant } from "../mutants/draw.ts";

const folder = mkdtempSync(join(tmpdir(), "roundtrip-draw-"));

function mutantsIn(lines: readonly string[]): readonly Mutant[] {
  writeFileSync(join(folder, "a.ts"), lines.join("\n"));
  return mutantsOf(folder, "a.ts");
}

const numbered = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `let v${n} = ${200 + n};`);
const linesOf = (mutants: readonly Mutant[]): readonly string[] =>
  mutants.map(({ was, becomes }) => `${was} ${becomes}`).toSorted();

it("draws the same places from the same seed, wherever they have moved, and others from another", () => {
  const before = draw([mutantsIn(numbered(50))], 10, 1);
  const moved = draw([mutantsIn(["// new", ...numbered(50).toReversed()])], 10, 1);
  expect(linesOf(moved)).toEqual(linesOf(before));
  expect(before).toHaveLength(10);
  expect(linesOf(draw([mutantsIn(numbered(50))], 10, 2))).not.toEqual(linesOf(before));
});

it("draws as many of each folder, and nothing of a folder twice that is inside another", () => {
  const all = mutantsIn(numbered(50));
  const drawn = draw([all, all.slice(0, 20)], 30, 1);
  expect(new Set(linesOf(drawn)).size).toBe(30);
  expect(drawn.slice(15).every((mutant) => all.indexOf(mutant) < 20)).toBe(true);
});

it("draws all where more are asked for than there are", () => {
  expect(draw([mutantsIn(numbered(5))], 30, 1)).toHaveLength(5);
});
