#!/usr/bin/env node
// The command `roundtrip-fake` of the package of fakes, which .ci/pack/bundle-command.ts puts beside the bundled program. As roundtrip.js.
import { existsSync } from "node:fs";
import { keepCompiledCode, preferSmallMemory } from "./compile-cache.js";
import { oldNodeFault } from "./old-node.js";

const fault = oldNodeFault(process.versions.node);
if (fault === undefined) {
  preferSmallMemory();
  keepCompiledCode();
  const sources = new URL("../src/fake-main.ts", import.meta.url);
  await import(existsSync(sources) ? sources.href : new URL("fake-main.js", import.meta.url).href);
} else {
  process.stderr.write(`${fault}\n`);
  // "A tool is not available", as in cli-error.ts.
  process.exitCode = 69;
}
