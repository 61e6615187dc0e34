// Loaded before a program (`--import`): writes its peak memory in KiB to descriptor 3 when the program ends.
import { writeSync } from "node:fs";

process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)));
