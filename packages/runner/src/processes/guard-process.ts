// Ends the sessions that it was told of when the runner has gone, and then itself.
import type { Guarded } from "./session-guard.ts";
import { killSession } from "./session-processes.ts";

const leaders = new Set<number>();

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);
process.on("message", ({ leader, isThere }: Guarded) => {
  if (isThere) leaders.add(leader);
  else leaders.delete(leader);
});
process.on("disconnect", () => {
  for (const leader of leaders) killSession(leader);
  process.exit(0);
});
if (!process.connected) process.exit(0);
