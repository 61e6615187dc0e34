// An id names one sentence for ever: reports of years can be compared by it.
import { expect, it } from "vitest";
import { conformanceCases, retiredIds } from "../src/index.ts";

const ids = conformanceCases.map(({ id }) => id);

it("has the form RT-0000", () => {
  for (const id of [...ids, ...retiredIds]) expect(id).toMatch(/^RT-\d{4}$/);
});

it("belongs to one case", () => {
  expect(ids).toEqual([...new Set(ids)]);
});

it("stands in ascending order, so that a free one is easily found", () => {
  expect(ids).toEqual(ids.toSorted());
});

it("never comes back once retired", () => {
  expect(ids.filter((id) => retiredIds.includes(id))).toEqual([]);
});

it("has its first two digits in common with its area and no other", () => {
  const areaOfHundred = new Map(conformanceCases.map(({ id, area }) => [id.slice(0, 5), area]));
  for (const { id, area } of conformanceCases)
    expect(`${id} ${areaOfHundred.get(id.slice(0, 5))}`).toBe(`${id} ${area}`);
});

it("goes with a sentence that no other case has", () => {
  const titles = conformanceCases.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
});
