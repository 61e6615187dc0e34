// Tests run on source, in every package and in bench.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { commitSeed } from "./.ci/commit-seed.ts";
import { LongestFirst } from "./.ci/longest-first.ts";

declare module "vitest" {
  interface ProvidedContext {
    commitSeed: number;
  }
}

export default defineConfig({
  // Packages resolve as in Node.js itself: by Vite's order graphql would be in the process twice, as .mjs and as .js.
  resolve: { mainFields: ["main"], extensions: [".js", ".json"] },
  test: {
    include: ["packages/*/test/**/*.test.ts", "bench/test/**/*.test.ts"],
    // Files share what they import: half of the time would go into loading the same libraries for each of them anew. A test that
    // replaces something of its process therefore puts it back.
    isolate: false,
    // Usual is one worker fewer than there are processors. Files wait for sockets, processes and limits more than they compute: more workers keep
    // the processors busy.
    maxWorkers: availableParallelism() + 4,
    // So do tests of one file that go together: none of them need wait for five programs that start.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    provide: { commitSeed: commitSeed() },
    setupFiles: ["./.ci/seed-properties.ts"],
    globalSetup: ["./.ci/test-directory.ts", "./.ci/needs/left-out.ts"],
    // A hang is reported late, so that a slow shared machine is not taken for one.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
