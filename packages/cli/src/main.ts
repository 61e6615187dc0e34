#!/usr/bin/env node
// The entry: Ctrl-C is heard from the first moment on, and what was compiled once is not compiled again.
import { enableCompileCache } from "node:module";
import { handleSignals } from "./interruption.ts";

handleSignals();
enableCompileCache();
const { runProgram } = await import("./run-program.ts");
await runProgram(process.argv);
