#!/usr/bin/env node
// The entry: Ctrl-C is heard from the first moment on, and what was compiled once is not compiled again.
import nodeModule from "node:module";
import { exitStatus } from "./exit-status.ts";
import { handleSignals } from "./interruption.ts";
import { oldNodeFault } from "./old-node.ts";

const fault = oldNodeFault(process.versions.node);
if (fault !== undefined) {
  process.stderr.write(`${fault}\n`);
  process.exit(exitStatus.unavailable);
}
handleSignals();
nodeModule.enableCompileCache();
const { runProgram } = await import("./run-program.ts");
await runProgram(process.argv);
