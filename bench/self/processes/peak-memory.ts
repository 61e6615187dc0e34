// Loaded before a program (`--import`): tells on descriptor 3, when the program ends, how much memory it had at most, in KiB.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
