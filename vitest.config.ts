// Tests run on source, in every package and in bench. Each file belongs to one project, those of `properties` to two: `pnpm test` runs
// unit, pages and docs.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { commitSeed } from "./.ci/commit-seed.ts";
import { LongestFirst } from "./.ci/longest-first.ts";

declare module "vitest" {
  interface ProvidedContext {
    commitSeed: number;
    /** The part of their random cases that tests of {@link properties} try. */
    caseShare: number;
  }
}

/** Tests that open pages in a browser. */
const pages = [
  "packages/fakes/test/standalone/{browser-callers,page}.test.ts",
  "packages/report/test/{html,long-names,comparisons/page}.test.ts",
];

/** Tests that run what documents show. */
const docs = [
  "bench/test/documented-*.test.ts",
  "packages/cli/test/{breaking-changes,ci,fakes}-page.test.ts",
  "packages/fakes/test/faults/cookbook.test.ts",
  "packages/fakes/test/stubs/stubs-page.test.ts",
];

/** Tests whose outcome depends on real time, on processors or on the kernel's counters: they want a machine with nothing else to do. */
const measuring = [
  "**/*.measuring.test.ts",
  "packages/cli/test/{bench-faults,bench-serve,compare-interrupted,starter-gone}.test.ts",
  "packages/runner/test/{answer-times,cores,ended-processes,evidence,kernel-counters,process-cpu}.test.ts",
  "packages/runner/test/version/command-server.test.ts",
  "packages/stacks/test/{connection-cut,connections,killed-client,leftovers,slow-callers}.test.ts",
];

/** Tests of many cases: a fifth of them, new with each commit, in `unit`, all in `full`. */
const properties = [
  "packages/cli/test/changed-contract.test.ts",
  "packages/changes/test/{every-change,scalar-types}.test.ts",
  "packages/fakes/test/answers/{exclusive-fields,generated-service}.test.ts",
  "packages/fakes/test/resources/like-the-real-service.test.ts",
  "packages/styles/test/{proto-json,soap-values}.test.ts",
];

/** Long tests for a release: many random cases, a process for each case, every library, and programs that only `.ci/full` installs. */
const full = [
  "bench/test/{additions,differential,estimators,fuzz,linked,programs,type-graphs}.test.ts",
  "packages/cli/test/{calls-in-languages,go-gateway,k6-runs,python-target}.test.ts",
  "packages/cli/test/{full-disk,irregular-files,loaded-modules,packed-logs,strict-types}.test.ts",
  "packages/fakes/test/answers/recursive-answers.test.ts",
  // It replaces the fetch of its process.
  "packages/fakes/test/msw.test.ts",
  "packages/analysis/test/{interval-coverage,gate/error-rates}.test.ts",
  "packages/stacks/test/{body-limits,foreign-contracts,held-requests,loaded-packages,public-edges,slow-readers}.test.ts",
];

export default defineConfig({
  // Packages resolve as in Node.js itself: by Vite's order graphql would be in the process twice, as .mjs and as .js.
  resolve: { mainFields: ["main"], extensions: [".js", ".json"] },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["packages/*/test/**/*.test.ts", "bench/test/**/*.test.ts"],
          exclude: [...pages, ...docs, ...measuring, ...full],
        },
      },
      { extends: true, test: { name: "pages", include: pages } },
      { extends: true, test: { name: "docs", include: docs } },
      { extends: true, test: { name: "measuring", include: measuring } },
      { extends: true, test: { name: "full", include: [...full, ...properties], provide: { caseShare: 1 } } },
    ],
    // Files share what they import: half of the time would go into loading the same libraries for each of them anew. A test that
    // replaces something of its process therefore puts it back.
    isolate: false,
    // Usual is one worker fewer than there are processors. Files wait for sockets, processes and limits: two more keep the processors busy. Each of
    // them loads the same libraries, so that further ones cost more than they gain.
    maxWorkers: availableParallelism() + 2,
    // So do tests of one file that go together: none of them need wait for five programs that start.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    provide: { commitSeed: commitSeed(), caseShare: 0.2 },
    setupFiles: ["./.ci/seed-properties.ts"],
    globalSetup: ["./.ci/test-directory.ts", "./.ci/needs/left-out.ts"],
    // A hang is reported late, so that a slow shared machine is not taken for one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
