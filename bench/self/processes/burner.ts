// Somebody else's work on the same machine: burns one core without a pause; it ends with who started it.
import { setImmediate as next } from "node:timers/promises";
import { burn } from "../gate/physical/burn.ts";

/** Between two looks at whether anybody still wants it: some milliseconds. */
const turnsAtOnce = 5_000_000;

process.on("disconnect", () => process.exit());
while (process.connected) {
  burn(turnsAtOnce);
  await next();
}
process.exit();
