// The replay of all stored rounds, in docs/gate/physical-replay.json.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Replay } from "./replay.ts";

const file = join(import.meta.dirname, "../../../../docs/gate/physical-replay.json");

/** Empty if there is no file. */
export function storedReplay(): Replay {
  if (!existsSync(file)) return { seed: 0, storedJobs: 0, rows: [] };
  return JSON.parse(readFileSync(file, "utf8")) as Replay;
}

export function storeReplay(replay: Replay): void {
  writeFileSync(file, `${JSON.stringify(replay, undefined, 2)}\n`);
}
