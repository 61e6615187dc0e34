// The ids of cases are permanent, so that reports of different versions can be compared.
import { expect, it } from "vitest";
import { conformanceCases } from "../src/index.ts";

/** Ids of cases that are gone: an id names one sentence for ever. */
const retiredIds: readonly string[] = [];

const ids = conformanceCases.map(({ id }) => id);

it("ids have the form RT-0000", () => {
  for (const id of [...ids, ...retiredIds]) expect(id).toMatch(/^RT-\d{4}$/);
});

it("ids are unique", () => {
  expect(ids).toEqual([...new Set(ids)]);
});

it("ids are in ascending order", () => {
  expect(ids).toEqual(ids.toSorted());
});

it("ids are not reused once retired", () => {
  expect(ids.filter((id) => retiredIds.includes(id))).toEqual([]);
});

it("ids of an area have their first two digits in common, and no other area has them", () => {
  const areaOfHundred = new Map(conformanceCases.map(({ id, area }) => [id.slice(0, 5), area]));
  for (const { id, area } of conformanceCases)
    expect(`${id} ${areaOfHundred.get(id.slice(0, 5))}`).toBe(`${id} ${area}`);
});

it("titles are unique", () => {
  const titles = conformanceCases.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
});
