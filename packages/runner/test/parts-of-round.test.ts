// Which studies are measured together, and in which order those that are not come.
import { expect, it } from "vitest";
import { partsOfRound } from "../src/rounds/schedule.ts";
import { anArm } from "./support/an-arm.ts";

const armOf = (study: string, stack: string) => anArm({ study, stack, variant: "facade", attributes: 1 });

function studiesOf(round: number, ...arms: readonly ReturnType<typeof anArm>[]): readonly (readonly string[])[] {
  return partsOfRound(arms, 7, round).map(({ studies }) => studies);
}

it("measures studies together that share processes, also when they do so through a third one", () => {
  const arms = [armOf("a", "rest"), armOf("b", "grpc"), armOf("c", "rest"), armOf("c", "grpc")];
  expect(studiesOf(0, ...arms).map((studies) => studies.toSorted())).toEqual([["a", "b", "c"]]);
});

it("measures a study alone that shares no process with another, and every arm once", () => {
  const arms = [armOf("far", "rest/rttMs=50"), armOf("near", "rest"), armOf("far", "grpc/rttMs=50")];
  const parts = partsOfRound(arms, 7, 0);
  expect(parts.map(({ studies }) => studies)).toEqual(expect.arrayContaining([["far"], ["near"]]));
  expect(new Set(parts.flatMap((part) => part.arms))).toEqual(new Set(arms));
});

it("draws the order of the parts anew for each round, and the same for the same seed", () => {
  const arms = ["a", "b", "c", "d"].map((study) => armOf(study, study));
  const orders = Array.from({ length: 12 }, (_, round) => studiesOf(round, ...arms).join(" "));
  expect(new Set(orders).size).toBeGreaterThan(3);
  expect(studiesOf(3, ...arms).join(" ")).toBe(orders[3]);
});
