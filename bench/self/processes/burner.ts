// Other work on the same machine: keeps one core busy without a pause, and ends with its parent.
import { setImmediate as next } from "node:timers/promises";
import { burn } from "../gate/physical/burn.ts";

/** Turns between two checks for the parent: some milliseconds. */
const turnsAtOnce = 5_000_000;

process.on("disconnect", () => process.exit());
while (process.connected) {
  burn(turnsAtOnce);
  await next();
}
process.exit();
