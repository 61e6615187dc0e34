import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needing } from "../../../../.ci/needs/needing.ts";
import { howToGetIt, publishedSchema } from "./published-schema.ts";
import { changed, exportsToTry, manifestsOf, only, type Change } from "./sample.ts";

const faultsOf = publishedSchema();
const withSchema = await needing("k6-operator");

for (const [title, options] of Object.entries(exportsToTry)) {
  test(`the TestRun of ${title} is as k6-operator publishes it`, withSchema, () => {
    expect(faultsOf?.(only(manifestsOf(options), "TestRun"))).toEqual([]);
  });
}

test.for([".ci/run", "CONTRIBUTING.md"])(
  "%s has the release of k6-operator that manifests are held against",
  (path) => {
    expect(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")).toContain(howToGetIt);
  },
);

const mutants: readonly (readonly [string, Change])[] = [
  ["a TestRun of a version that never was", { path: ["apiVersion"], value: "k6.io/v1" }],
  ["a TestRun without parallelism", { path: ["spec", "parallelism"] }],
  ["a TestRun without a script", { path: ["spec", "script"] }],
  ["a TestRun with a field that nobody knows", { path: ["spec", "instances"], value: 2 }],
  ["a number of instances in words", { path: ["spec", "parallelism"], value: "two" }],
  ["a misspelled field of its pods", { path: ["spec", "runner", "volumeMount"], value: [] }],
  ["a misspelled field deep in its pods", { path: ["spec", "runner", "volumes", 0, "configMap", "item"], value: [] }],
  ["a variable without a name", { path: ["spec", "runner", "env", 0, "name"] }],
  ["a volume without a name", { path: ["spec", "runner", "volumes", 0, "name"] }],
  ["a token switch that is no text", { path: ["spec", "runner", "automountServiceAccountToken"], value: false }],
];

for (const [title, change] of mutants) {
  test(`k6-operator's schema refuses ${title}`, withSchema, () => {
    expect(faultsOf?.(changed("TestRun", undefined, change))).not.toEqual([]);
  });
}
