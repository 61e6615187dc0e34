// Loaded before a program (`--require`): when the program ends, writes its usage to descriptor 3 as JSON. Plain CommonJS, because it must add next to
// nothing to a few tens of milliseconds.
const { writeSync } = require("node:fs");

process.on("exit", () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ cpuMs: (user + system) / 1_000, peakMiB: process.resourceUsage().maxRSS / 1_024 }));
});
