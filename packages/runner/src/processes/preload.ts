// Runs in a measured process before anything else is loaded: reads the resolutions of its modules from standard input.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { followResolutions, type ModuleResolutions } from "./module-resolutions.ts";

const standardInput = 0;

// Threads of the process load this module too, after standard input has been read.
if (isMainThread) followResolutions(JSON.parse(readFileSync(standardInput, "utf8")) as ModuleResolutions);
