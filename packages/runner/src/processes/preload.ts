// Runs in a measured process before anything else is loaded: reads where its modules are from its standard input.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
import { followResolutions, type ModuleResolutions } from "./module-resolutions.ts";

const standardInput = 0;

// Threads of the process are told to load this as well; what there was to read has been read by then.
if (isMainThread) followResolutions(JSON.parse(readFileSync(standardInput, "utf8")) as ModuleResolutions);
