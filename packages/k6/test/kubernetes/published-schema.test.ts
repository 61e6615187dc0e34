import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { needing } from "../../../../.ci/needs/needing.ts";
import { howToGetIt, publishedSchema } from "./published-schema.ts";
import { elsewhere, manifestsOf, only, sample } from "./sample.ts";

const faultsOf = publishedSchema();
const withSchema = await needing("k6-operator");

test.for([
  ["an export", sample],
  ["an export for one node", { ...sample, isOneNode: true, instances: 1 }],
  ["an export whose servers run elsewhere", elsewhere],
] as const)("k6-operator's schema accepts the TestRun of %s", withSchema, ([, options]) => {
  expect(faultsOf?.(only(manifestsOf(options), "TestRun"))).toEqual([]);
});

test("k6-operator's schema rejects a misspelled field", withSchema, () => {
  const testRun = only<{ readonly spec: object }>(manifestsOf(sample), "TestRun");
  expect(faultsOf?.({ ...testRun, spec: { ...testRun.spec, instances: 2 } } as never)).not.toEqual([]);
});

test.for([".ci/full", "CONTRIBUTING.md"])("%s has the release of k6-operator of the manifests", (path) => {
  expect(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")).toContain(howToGetIt);
});
