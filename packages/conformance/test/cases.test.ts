// The ids of cases are permanent, so that reports of different versions can be compared. The package names no style, so a new style changes nothing in it.
import { loadStyle, misuseTitles, styleNames } from "@roundtrip/styles";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

const folder = join(import.meta.dirname, "..", "src");
const sources = globSync("**/*.ts", { cwd: folder, exclude: ["gen/**"] });
const styles = await Promise.all(styleNames().map(loadStyle));

it.each(styles.filter(({ role }) => role === "style").map(({ name }) => name))("no source names %s", (name) => {
  // Reserved names of metadata, such as grpc-timeout, are reserved in every style.
  // `connect` is a word of code, too.
  const named =
    name === "connect" ? /style[^\n]*["'`]connect["'`]/ : new RegExp(String.raw`\b${name}(?!-timeout|-status)`, "i");
  expect(sources.length).toBeGreaterThan(27);
  expect(sources.filter((path) => named.test(readFileSync(join(folder, path), "utf8")))).toEqual([]);
});

it("each misuse has one case", () => {
  expect(conformanceCases.filter(({ area }) => area === "misuse")).toHaveLength(Object.keys(misuseTitles).length);
});
