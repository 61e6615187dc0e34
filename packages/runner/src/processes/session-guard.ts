// Programs that are not of this project do not notice when the runner goes: a process that does ends them then, however the runner ended.
import { spawn, type ChildProcess } from "node:child_process";
import { extname, join } from "node:path";

/** What the guard is told of a session. */
export interface Guarded {
  readonly leader: number;
  /** False once it has been ended. */
  readonly isThere: boolean;
}

const file = join(import.meta.dirname, `guard-process${extname(import.meta.filename)}`);

let guard: ChildProcess | undefined;

/** One for all sessions of this process, and as long as it lives; it holds nothing back. */
function running(): ChildProcess {
  if (guard?.connected === true) return guard;
  // In no group of the runner's: what a terminal sends to that does not concern it.
  guard = spawn(process.execPath, [file], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { ...process.env, NODE_NO_WARNINGS: "1" },
    detached: true,
  });
  guard.on("error", () => undefined).unref();
  guard.channel?.unref();
  return guard;
}

/** Tells the guard of a session that has begun, or has been ended. */
export function tellGuard(told: Guarded): void {
  running().send(told, () => undefined);
}
