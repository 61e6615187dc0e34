#!/usr/bin/env node
// The command `roundtrip`, from sources and from a published package. Plain JavaScript: Node.js loads its TypeScript compiler for an
// entry in TypeScript, whereas files that are imported later come from the compile cache. See docs/decisions/0002.
import { existsSync } from "node:fs";
import { keepCompiledCode, preferSmallMemory } from "./compile-cache.js";
import { keepResolutions } from "./kept-resolutions.js";
import { oldNodeFault } from "./old-node.js";

const fault = oldNodeFault(process.versions.node);
if (fault === undefined) {
  // Before: code is kept for the flags that it was compiled with.
  if (process.argv[2] === "fake") preferSmallMemory();
  keepCompiledCode();
  keepResolutions();
  const sources = new URL("../src/main.ts", import.meta.url);
  await import(existsSync(sources) ? sources.href : new URL("../dist/main.js", import.meta.url).href);
} else {
  process.stderr.write(`${fault}\n`);
  // "A tool is not available", as in cli-error.ts.
  process.exitCode = 69;
}
