// Runs in a measured process before anything else is loaded: reads where its modules are from its standard input.
import { readFileSync } from "node:fs";
import { followResolutions, type ModuleResolutions } from "./module-resolutions.ts";

const standardInput = 0;

followResolutions(JSON.parse(readFileSync(standardInput, "utf8")) as ModuleResolutions);
