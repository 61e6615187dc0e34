// Other work on the same machine: keeps one core busy without a pause, and ends with its parent.
import { setImmediate as next } from "node:timers/promises";

/** Turns between two checks for the parent: some milliseconds. */
const turnsAtOnce = 5_000_000;

process.on("disconnect", () => process.exit());
while (process.connected) {
  for (let turn = 0; turn < turnsAtOnce; turn += 1) Math.sqrt(turn);
  await next();
}
process.exit();
