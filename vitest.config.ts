// Tests run on source, in every package and in bench.
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Packages resolve as in Node.js itself: by Vite's order graphql would be in the process twice, as .mjs and as .js.
  resolve: { mainFields: ["main"], extensions: [".js", ".json"] },
  test: {
    include: ["packages/*/test/**/*.test.ts", "bench/test/**/*.test.ts"],
    // Files share what they import: half of the time would go into loading the same libraries for each of them anew. A test that
    // replaces something of its process therefore puts it back.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
