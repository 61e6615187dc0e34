// Other work on the same machine: keeps one core busy for 0.2 to 3 s, pauses as long, and repeats. `noisy-neighbour.ts SEED`; it ends with its
// parent.
import { randomFrom } from "@roundtrip/analysis/statistics";
import { setImmediate as next, setTimeout as sleep } from "node:timers/promises";
import { burn } from "../gate/physical/burn.ts";

const shortestMs = 200;
const longestMs = 3_000;
/** Turns between two checks for the parent: some milliseconds. */
const turnsAtOnce = 5_000_000;
/** Longer than any job. */
const lifetimeMs = 15 * 60_000;

process.on("disconnect", () => process.exit());
if (!process.connected) process.exit();
const random = randomFrom(Number(process.argv[2] ?? 0), "noisy neighbour");
const bornAt = performance.now();
while (performance.now() - bornAt < lifetimeMs) {
  const lengthMs = shortestMs + (longestMs - shortestMs) * random();
  const startedAt = performance.now();
  while (performance.now() - startedAt < lengthMs) {
    burn(turnsAtOnce);
    await next();
  }
  await sleep(lengthMs);
}
process.exit();
