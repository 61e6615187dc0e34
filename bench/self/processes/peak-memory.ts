// Loaded before a program (`--import`): reports on descriptor 3, when the program ends, its peak memory in KiB.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
