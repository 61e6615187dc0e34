// The tests that StrykerJS runs for each change: the unit tests of the packages whose code it changes.
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { mainFields: ["main"], extensions: [".js", ".json"] },
  test: {
    include: ["packages/{analysis,contract,runner}/test/**/*.test.ts"],
    // StrykerJS runs tests in threads, which receive no signals.
    exclude: ["**/*.measuring.test.ts", "packages/runner/test/interrupted-run.test.ts"],
    provide: { commitSeed: 1, caseShare: 0.2 },
    setupFiles: ["./.ci/seed-properties.ts"],
    testTimeout: 120_000,
  },
});
