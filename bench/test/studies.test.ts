// Studies as a user names them, and what the study of distance does.
import { expect, test } from "vitest";
import { loadStudy, studyGroups, studyNames } from "../index.ts";

test("a group stands for every study whose name begins with it, so that a new file is in it at once", () => {
  const names = studyNames().filter((name) => name.startsWith("network-"));
  expect(names).toContain("network-distance");
  expect(studyGroups().get("network")).toEqual(names);
});

test("no group has the name of a study", () => {
  expect([...studyGroups().keys()].filter((group) => studyNames().includes(group))).toEqual([]);
});

test("distance is measured at 1, 50, 100 and 200 ms, with one hello and every way to read a customer", async () => {
  const { tasks } = await loadStudy("network-distance");
  const cells = Map.groupBy(tasks, ({ name, variants }) => [name, ...Object.keys(variants)].join(" "));
  const timesOf = (alike: typeof tasks): readonly number[] =>
    alike.flatMap(({ links }) => links.map(({ rttMs }) => rttMs));
  expect([...cells].map(([cell, alike]) => [cell, timesOf(alike)])).toEqual([
    ["hello single", [1, 50, 100, 200]],
    ["read facade chatty chatty-parallel together", [1, 50, 100, 200]],
  ]);
});
